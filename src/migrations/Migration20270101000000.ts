import { Migration } from '@mikro-orm/migrations';

/** A run that fails notes since when, so that the others of its document wait for it for an hour at most. */
export class Migration20270101000000 extends Migration {
  override name = 'Migration20270101000000';

  override up(): void {
    this.addSql(`alter table "billing_run" add "fails_since" timestamptz(3) null`);
  }
}
