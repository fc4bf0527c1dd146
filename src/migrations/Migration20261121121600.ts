import { Migration } from '@mikro-orm/migrations';

/** Events are kept by when they were written, whatever a test clock says. */
export class Migration20261121121600 extends Migration {
  override up() {
    this.addSql(`drop index "event_age";`);
    this.addSql(
      `alter table "event" add "recorded_at" timestamptz(3) not null default now();`,
    );
    this.addSql(`update "event" set "recorded_at" = least("occurred_at", now())`);
    this.addSql(`create index "event_age" on "event" ("recorded_at");`);
  }
}
