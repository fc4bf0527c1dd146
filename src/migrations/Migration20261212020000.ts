import { Migration } from '@mikro-orm/migrations';

/** Organizations move between installations: where each of them is on its way. */
export class Migration20261212020000 extends Migration {
  override name = 'Migration20261212020000';

  override up(): void {
    this.addSql(`create table organization_move (
      organization_id varchar(255) not null primary key,
      state text not null check (state in ('copying', 'frozen', 'moved', 'arriving', 'arrived')),
      cell text not null,
      started_at timestamptz(3) not null default clock_timestamp(),
      changed_at timestamptz(3) not null default clock_timestamp(),
      frozen_milliseconds int)`);
  }
}
