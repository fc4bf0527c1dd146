import { Migration } from '@mikro-orm/migrations';

/** A run of a job says while it lasts that its process lives, so that another one can take a dead one's place. */
export class Migration20261122020200 extends Migration {
  override up() {
    this.addSql(`alter table "cron_run" add "alive_at" timestamptz(3) null;`);
  }
}
