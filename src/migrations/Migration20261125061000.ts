import { Migration } from '@mikro-orm/migrations';

/**
 * Each organization has a feed of its own in each mode. Sequences that were given stay; each new feed continues above
 * all of them, since readers may remember any sequence up to the last one.
 */
export class Migration20261125061000 extends Migration {
  override name = 'Migration20261125061000';

  override up(): void {
    this.addSql('alter table event_head rename to event_head_before');
    this.addSql('alter table event_head_before rename constraint event_head_pkey to event_head_before_pkey');
    this.addSql(`create table event_head (organization_id varchar(255) not null, livemode boolean not null,
      sequence bigint not null, purged bigint not null, primary key (organization_id, livemode))`);
    this.addSql(`insert into event_head (organization_id, livemode, sequence, purged)
      select organization.id, mode.live, head.sequence, head.purged
      from organization, event_head_before head, (values (true), (false)) as mode (live)
      where head.sequence > 0`);
    this.addSql('drop table event_head_before');
    this.addSql('drop index event_sequence_unique');
    this.addSql(`create unique index event_sequence_unique on event (organization_id, livemode, sequence)
      where (sequence is not null)`);
    this.addSql(`create index event_unsequenced on event (organization_id, livemode, position)
      where (sequence is null)`);
    // They get other arguments; the present definitions are applied after the migrations.
    this.addSql(`do $$
      declare
        named record;
      begin
        for named in select oid::regprocedure as signature from pg_proc
          where pronamespace = current_schema()::regnamespace and proname in ('sequence_events', 'advance_feed')
        loop
          execute format('drop function %s', named.signature);
        end loop;
      end $$`);
    this.addSql('drop trigger announced on event');
    this.addSql(`create trigger announced after insert on event referencing new table as added
      for each statement execute function announce_events()`);
  }
}
