import { Migration } from '@mikro-orm/migrations';

/** Trials of items of subscriptions, the next end of which is due before a boundary. */
export class Migration20261225020000 extends Migration {
  override name = 'Migration20261225020000';

  override up(): void {
    this.addSql(`alter table "subscription" add "item_trial_end_at" timestamptz(3) null`);
  }
}
