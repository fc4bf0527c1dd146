import { Migration } from '@mikro-orm/migrations';

/** How often a price move has tried its present subscription, for which another service gives no answer. */
export class Migration20261229160000 extends Migration {
  override name = 'Migration20261229160000';

  override up(): void {
    this.addSql(`alter table "price_move" add "moving_tries" int not null default 0`);
  }
}
