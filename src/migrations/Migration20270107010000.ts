import { Migration } from '@mikro-orm/migrations';

/** A document keeps its number and dates, and has one invoice of each subscription. */
export class Migration20270107010000 extends Migration {
  override name = 'Migration20270107010000';

  override up(): void {
    this.addSql(
      `create unique index "invoice_member_unique" on "invoice" ("consolidated_invoice_id", "subscription_id") where "consolidated_invoice_id" is not null`,
    );
    const kept = ['invoice_number', 'invoice_date', 'due_date', 'currency', 'collection_method'];
    const row = (of: string) => `(${kept.map((column) => `${of}.${column}`).join(', ')})`;
    this.addSql(
      `create trigger consolidated_invoice_kept before update on consolidated_invoice for each row
      when (${row('old')} is distinct from ${row('new')}) execute function keep_invoice()`,
    );
  }
}
