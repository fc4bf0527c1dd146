import { Migration } from '@mikro-orm/migrations';

/**
 * The months of usage events are made and detached while the service runs. Both are done with the rights of
 * the tables' owner, so that the role of the service needs none to change tables.
 */
export class Migration20261122060400 extends Migration {
  override up() {
    this.addSql(`create function detach_usage_event_month(name text) returns boolean language plpgsql as $$
begin
  if name !~ '^usage_event_[0-9]{4}_[0-9]{2}$' then raise exception '% is no month of usage events', name; end if;
  -- Another process may detach it at the same time: the second one leaves it.
  perform pg_advisory_xact_lock(hashtext('usage_event_months'));
  perform from pg_inherits where inhparent = 'usage_event'::regclass and inhrelid = to_regclass(name);
  if not found then return false; end if;
  execute format('alter table usage_event detach partition %I', name);
  execute format('select add_row_count(''usage_event'', pricing_model_id, -count(*)) from %I group by pricing_model_id', name);
  return true;
end $$`);
    for (const name of ['add_usage_event_month(date)', 'detach_usage_event_month(text)']) {
      this.addSql(`do $$ begin
  execute format('alter function ${name} security definer set search_path = %I, pg_temp', current_schema());
end $$`);
      this.addSql(`revoke execute on function ${name} from public`);
    }
  }
}
