import { Migration } from '@mikro-orm/migrations';
import { tenantTable } from '#server/database/tenant-table.ts';

/** Accounts at processors, the events that they send, and differences between their books and ours. */
export class Migration20261122210000 extends Migration {
  override name = 'Migration20261122210000';

  override up(): void {
    this.addSql(`create table processor_account (
      id varchar(255) not null, position bigserial, created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null, version int not null default 1, livemode boolean not null,
      organization_id varchar(255) not null, kind text not null, account_reference varchar(255) not null,
      name text, api_version varchar(255) not null, key_ending varchar(4) not null,
      restricted boolean not null default false, receives_notices boolean not null default false,
      refused_reason text, refused_at timestamptz(3), disconnected_at timestamptz(3), secret_key text,
      webhook_secret text, previous_webhook_secret text, previous_webhook_secret_until timestamptz(3),
      endpoint_reference varchar(255), events_seen_until timestamptz(3), charges_compared_until timestamptz(3),
      primary key (id),
      constraint processor_account_kind_check check (kind in ('stripe')),
      constraint processor_account_connected check ((secret_key is null) = (disconnected_at is not null))
    )`);
    this.addSql(`create unique index processor_account_mode_unique on processor_account (organization_id, livemode)
      where disconnected_at is null`);
    this.addSql(`alter table processor_account add constraint processor_account_reference_unique
      unique (organization_id, livemode, kind, account_reference)`);
    this.addSql(`alter table processor_account add constraint processor_account_organization
      foreign key (organization_id) references organization (id)`);

    this.addSql(`create table processor_event (
      id varchar(255) not null, processor_account_id varchar(255) not null, event_id varchar(255) not null,
      type varchar(255) not null, object varchar(255) not null, reference varchar(255) not null,
      payment_id varchar(255), source text not null, occurred_at timestamptz(3) not null,
      received_at timestamptz(3) not null, status text not null default 'pending', attempts int not null default 0,
      due_at timestamptz(3), error text,
      primary key (id),
      constraint processor_event_source_check check (source in ('webhook', 'reconciliation')),
      constraint processor_event_status_check check (status in ('pending', 'done', 'ignored', 'failed'))
    )`);
    this.addSql(`alter table processor_event add constraint processor_event_unique
      unique (processor_account_id, event_id)`);
    this.addSql(
      `create index processor_event_due on processor_event (due_at, id) where status = 'pending'`,
    );
    this.addSql('create index processor_event_received on processor_event (received_at)');
    this.addSql(`alter table processor_event add constraint processor_event_processor_account_id_foreign
      foreign key (processor_account_id) references processor_account (id) on delete cascade`);

    this.addSql(`create table processor_difference (
      id varchar(255) not null, position bigserial, created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null, version int not null default 1, livemode boolean not null,
      organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
      processor_account_id varchar(255) not null, kind text not null, reference varchar(255) not null,
      payment_id varchar(255), currency varchar(3), processor_amount bigint, own_amount bigint,
      message text not null, resolved_at timestamptz(3),
      primary key (id),
      constraint processor_difference_kind_check check (kind in ('amount', 'charged_twice', 'missing_at_processor',
        'not_recorded', 'refunded_amount', 'unknown_payment'))
    )`);
    this.addSql(`create unique index processor_difference_open_unique
      on processor_difference (processor_account_id, kind, reference) where resolved_at is null`);
    this.addSql(`create index processor_difference_page
      on processor_difference (pricing_model_id, created_at, position, id)`);
    this.addSql(`alter table processor_difference add constraint processor_difference_processor_account_id_foreign
      foreign key (processor_account_id) references processor_account (id) on delete cascade`);
    for (const statement of tenantTable('processor_difference')) this.addSql(statement);
  }
}
