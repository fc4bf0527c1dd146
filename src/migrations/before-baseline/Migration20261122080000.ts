import { Migration } from '@mikro-orm/migrations';

/**
 * Prices remember when they were retired and which price replaced them. Prices that are inactive already were
 * last changed when they were retired; the default price of their product is their successor.
 */
export class Migration20261122080000 extends Migration {
  override up() {
    this.addSql(
      `alter table "price" add "retired_at" timestamptz(3) null, add "successor_id" varchar(255) null;`,
    );
    this.addSql(`update price set retired_at = updated_at where not active;`);
    this.addSql(`update price set successor_id = next.id from price next
      where not price.active and next.product_id = price.product_id and next.is_default;`);
  }
}
