import { Migration } from '@mikro-orm/migrations';

/** The feed of one customer, which a customer token reads. */
export class Migration20261122150100 extends Migration {
  override name = 'Migration20261122150100';

  override up(): void {
    this.addSql(`create index event_customer on event (customer_id, sequence)
      where customer_id is not null and sequence is not null`);
  }
}
