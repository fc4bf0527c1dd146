import { Migration } from '@mikro-orm/migrations';

/** Usage can be accepted by streams outside of the database: how far they are moved, and whose usage they may have. */
export class Migration20261214081000 extends Migration {
  override name = 'Migration20261214081000';

  override up(): void {
    this.addSql(
      `create table usage_stream_cursor (
         stream text collate "C" not null,
         sequence bigint not null default 0 check (sequence >= 0),
         missing bigint not null default 0 check (missing >= 0),
         holder text,
         until timestamptz,
         primary key (stream))`,
    );
    this.addSql(
      `create table usage_stream_model (
         pricing_model_id text collate "C" not null,
         organization_id text not null,
         created_at timestamptz(3) not null default now(),
         primary key (pricing_model_id))`,
    );
  }
}
