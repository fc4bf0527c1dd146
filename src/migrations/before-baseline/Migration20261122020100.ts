import { Migration } from '@mikro-orm/migrations';

/** What was added to the migration of usage after databases had run it; one that has it all stays as it is. */
export class Migration20261122020100 extends Migration {
  override up() {
    this.addSql(`alter table usage_event add column if not exists place int not null default 0`);
    for (const table of ['usage_meter_balance', 'usage_total', 'usage_hour']) {
      this.addSql(`alter table ${table} set (fillfactor = 40)`);
    }
    this.addSql(`do $$
declare
  reference record;
begin
  for reference in
    select * from (values
      ('usage_credit', 'balance_id', 'usage_meter_balance', 'cascade', 'c'),
      ('ledger_transaction', 'balance_id', 'usage_meter_balance', 'cascade', 'c'),
      ('owed_usage', 'invoice_line_item_id', 'invoice_line_item', 'no action', 'a')) as wanted (child, key, parent, action, type)
    where not exists (select from pg_constraint where conrelid = child::regclass
      and conname = child || '_' || key || '_foreign' and confdeltype::text = type)
  loop
    execute format('alter table %I drop constraint %I, add constraint %2$I foreign key (%I) references %I (id) on delete %s',
      reference.child, reference.child || '_' || reference.key || '_foreign', reference.key, reference.parent, reference.action);
  end loop;
end $$`);
    this.addSql(`create or replace function keep_ledger() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select from usage_meter_balance where id = old.balance_id) then
    return old;
  end if;
  raise exception 'ledger transaction % stays as it was written', old.id using errcode = 'check_violation';
end $$`);
    this.addSql(`create or replace trigger count_removed after delete on usage_event referencing old table as removed
      for each statement execute function count_rows()`);
    this.addSql(`create index if not exists usage_event_distinct_event on usage_event_distinct (event_id)`);
  }
}
