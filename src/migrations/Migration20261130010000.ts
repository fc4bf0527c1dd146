import { Migration } from '@mikro-orm/migrations';

/** The triggers of a table whose function works on all rows of a statement at once. */
const owed = {
  added: 'insert on TABLE referencing new table as added',
  changed: 'update on TABLE referencing old table as removed new table as added',
  removed: 'delete on TABLE referencing old table as removed',
} as const;

/**
 * The amounts that customers owe, and the revenue of a day, are computed once for all invoices or payments of a
 * statement: a batch of billing runs writes many.
 */
export class Migration20261130010000 extends Migration {
  override name = 'Migration20261130010000';

  override up(): void {
    for (const table of ['invoice', 'payment']) {
      for (const [name, event] of Object.entries(owed)) {
        this.addSql(`drop trigger owed_${name} on ${table}`);
        this.addSql(`create trigger owed_${name} after ${event.replace('TABLE', table)}
          for each statement execute function keep_amount_owed()`);
      }
    }
    this.addSql('drop trigger revenue_added on invoice');
    this.addSql(`create trigger revenue_added after insert on invoice referencing new table as added
      for each statement execute function count_invoiced()`);
  }
}
