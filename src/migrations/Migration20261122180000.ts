import { Migration } from '@mikro-orm/migrations';

/**
 * The present MRR of each subscription, for conditions and orders. The parts of hours of usage by the values of
 * properties, and their sums by meter; existing hours are counted by the job.
 */
export class Migration20261122180000 extends Migration {
  override name = 'Migration20261122180000';

  override up(): void {
    this.addSql(
      `alter table subscription add column mrr bigint not null default '0', add column mrr_changes_at timestamptz(3)`,
    );
    this.addSql(`with changes as (
        select c.*, c.at > coalesce(clock.frozen_time, now()) as is_planned
        from mrr_change c join subscription s on s.id = c.subscription_id
          left join test_clock clock on clock.id = s.test_clock_id),
      latest as (
        select distinct on (subscription_id, product_id) subscription_id, amount_after
        from changes where not is_planned order by subscription_id, product_id, at desc),
      present as (
        select subscription_id, round(round(sum(amount_after), 6)) as mrr from latest group by 1),
      planned as (select subscription_id, min(at) as changes_at from changes where is_planned group by 1),
      stored as (select * from present full join planned using (subscription_id))
      update subscription set mrr = coalesce(stored.mrr, 0), mrr_changes_at = stored.changes_at
      from stored where stored.subscription_id = subscription.id and (stored.mrr <> 0 or stored.changes_at is not null)`);
    this.addSql('create index subscription_mrr on subscription (pricing_model_id, mrr, position, id)');
    this.addSql(
      'create index subscription_mrr_planned on subscription (pricing_model_id, mrr_changes_at) where (mrr_changes_at is not null)',
    );
    this.usageParts();
  }

  private usageParts() {
    // Events of existing hours may have been created at any time.
    this.addSql(`alter table usage_hour add column first_at timestamptz(3) not null default '-infinity',
      add column last_at timestamptz(3) not null default 'infinity',
      add column changed_at timestamptz(3) not null default now(), add column counted boolean not null default false`);
    this.addSql(`alter table usage_hour alter column first_at drop default, alter column last_at drop default,
      alter column changed_at drop default`);
    this.addSql('create index usage_hour_open on usage_hour (balance_id, hour) where (counted = false)');
    this.addSql(`create table usage_part (
      balance_id varchar(255) not null, property varchar(255) not null, hour timestamptz(3) not null,
      value varchar(255) not null, usage_meter_id varchar(255) not null, amount numeric not null, events bigint not null,
      largest numeric not null, last_amount numeric, last_date timestamptz(3), last_order_at timestamptz(3),
      last_place int, last_id varchar(255),
      primary key (balance_id, property, hour, value)
    )`);
    this.addSql(`create index usage_part_left_out on usage_part (usage_meter_id, property, hour) where (value = '!')`);
    this.addSql(`alter table usage_part add constraint usage_part_balance_id_foreign
      foreign key (balance_id) references usage_meter_balance (id) on delete cascade`);
    this.addSql(`create table usage_meter_part (
      usage_meter_id varchar(255) not null, property varchar(255) not null, hour timestamptz(3) not null,
      value varchar(255) not null, amount numeric not null, events bigint not null,
      primary key (usage_meter_id, property, hour, value)
    ) with (fillfactor = 70)`);
    this.addSql(`alter table usage_meter_part add constraint usage_meter_part_usage_meter_id_foreign
      foreign key (usage_meter_id) references usage_meter (id) on delete cascade`);
    // Triggers need their function, which is applied from its file after the migrations.
    this.addSql(`create function add_usage_parts() returns trigger language plpgsql as 'begin return null; end'`);
    this.addSql(`create trigger statistic_added after insert on usage_part referencing new table as changed
      for each statement execute function add_usage_parts()`);
    this.addSql(`create trigger statistic_removed after delete on usage_part referencing old table as changed
      for each statement execute function add_usage_parts()`);
  }
}
