import { Migration } from '@mikro-orm/migrations';

/** What the scheduled jobs have done. */
export class Migration20261121094800 extends Migration {
  override up() {
    this.addSql(
      `create table "cron_run" ("id" varchar(255) not null, "job" varchar(255) not null, "created_at" timestamptz(3) not null, "finished_at" timestamptz(3) null, "outcome" text null, "error" text null, primary key ("id"));`,
    );
    this.addSql(`create index "cron_run_page" on "cron_run" ("created_at", "id");`);
  }
}
