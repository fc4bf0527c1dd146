import { Migration } from '@mikro-orm/migrations';

/** How many requests an endpoint has open is counted without looking at all that waits for it. */
export class Migration20261121104600 extends Migration {
  override up() {
    this.addSql(`create index "webhook_delivery_held" on "webhook_delivery" ("webhook_id", "claimed_until") where "claimed_until" is not null;`);
  }
}
