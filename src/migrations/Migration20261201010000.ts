import { Migration } from '@mikro-orm/migrations';

/** The deliveries that have failed for good are counted without a look at all others. */
export class Migration20261201010000 extends Migration {
  override name = 'Migration20261201010000';

  override up(): void {
    this.addSql(
      `create index webhook_delivery_failed on webhook_delivery (updated_at) where status = 'failed'`,
    );
  }
}
