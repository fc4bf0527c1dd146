import { Migration } from '@mikro-orm/migrations';

/**
 * Old months of usage events can leave the database for files. Each file has a row, which is written in the transaction
 * that drops the events from the database. A month that is being written has a count of its changes.
 */
export class Migration20261213010000 extends Migration {
  override name = 'Migration20261213010000';

  override up(): void {
    this.addSql(
      `create table usage_history_file (
         organization_id varchar(255) not null references organization (id) on delete cascade,
         livemode boolean not null,
         month date not null,
         path text not null,
         bytes bigint not null check (bytes > 0),
         sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
         events bigint not null check (events > 0),
         events_of jsonb not null,
         first_created_at timestamptz(3) not null,
         last_created_at timestamptz(3) not null,
         first_usage_date timestamptz(3) not null,
         last_usage_date timestamptz(3) not null,
         created_at timestamptz(3) not null default now(),
         checked_at timestamptz(3),
         problem text,
         primary key (organization_id, livemode, month)
       )`,
    );
    this.addSql(
      `create table usage_event_month (name text primary key, changes bigint not null default 0)`,
    );
  }
}
