import { Migration } from '@mikro-orm/migrations';

/** The cause of each event, and the indexes of the audit log. */
export class Migration20261122170000 extends Migration {
  override name = 'Migration20261122170000';

  override up(): void {
    this.addSql(`create table cause (
      id varchar(255) not null, position bigserial, created_at timestamptz(3) not null default now(),
      livemode boolean not null, organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
      actor_type varchar(255) not null, actor_id varchar(255) not null, request_id varchar(255),
      cron_run_id varchar(255), subject_id varchar(255), operation jsonb, idempotency_key varchar(255),
      address varchar(255),
      primary key (id)
    )`);
    this.addSql('create index cause_page on cause (pricing_model_id, created_at, position, id)');
    this.addSql('create index cause_actor on cause (pricing_model_id, actor_id, created_at)');
    this.addSql('create index cause_request on cause (pricing_model_id, request_id)');
    // SQL functions write the whole origin there, and a trigger splits it.
    this.addSql('drop trigger origin on event');
    this.addSql('alter table event alter column cause_id type text');
    this.addSql(`create trigger origin before insert on event for each row
      when (new.cause_id like '% %') execute function split_origin()`);
    this.addSql('alter table event add column cause varchar(255)');
    // Readers see numbered events only, so an event enters these indexes once, with its number.
    const numbered = 'where (sequence is not null)';
    this.addSql(
      `create index event_object on event (pricing_model_id, object_id, sequence) ${numbered}`,
    );
    this.addSql(
      `create index event_customer on event (pricing_model_id, customer_id, sequence) ${numbered}`,
    );
    this.addSql(`create index event_cause on event (cause, sequence) ${numbered}`);
  }
}
