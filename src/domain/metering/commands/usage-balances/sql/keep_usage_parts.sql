-- Aggregates hours of usage that are over: all their events, and those with each value of a property. A property with too
-- many values in an hour, or with a long one, has a mark instead. Returns how many hours it has locked; hours that change
-- meanwhile are left for the next call. Each statement sees all that was committed before the locks.
create or replace function keep_usage_parts(present timestamptz, most_hours int, most_events bigint)
returns int
language plpgsql as $$
declare
  balances text[];
  hours timestamptz[];
begin
  with open as (
    select balance_id, hour, sum(events) over before_it as events, row_number() over before_it as place
    from (
      select balance_id, hour, events from usage_hour
      where not counted and hour < present - interval '65 minutes' and changed_at < present - interval '1 minute'
        and organization_id not in (select absent.organization_id from absent_organizations() absent)
      order by balance_id, hour limit most_hours) open
    window before_it as (order by balance_id, hour)
  ), locked as (
    select h.balance_id, h.hour from open join usage_hour h using (balance_id, hour)
    where (open.events <= most_events or place = 1) and not h.counted and h.changed_at < present - interval '1 minute'
    order by 1, 2 for update of h skip locked
  )
  select array_agg(balance_id), array_agg(hour) into balances, hours from locked;
  if balances is null then
    return 0;
  end if;

  -- Nearly all hours are new, and one index probe shows it.
  delete from usage_part old using (
    select balance_id, hour from unnest(balances, hours) as p (balance_id, hour)
    where exists (
      select from usage_part whole
      where whole.balance_id = p.balance_id and whole.property = '' and whole.hour = p.hour offset 0) offset 0) known
  where old.balance_id = known.balance_id and old.hour = known.hour;

  with picked as materialized (
    select h.balance_id, h.hour, h.first_at, h.last_at
    from unnest(balances, hours) as p (balance_id, hour) join usage_hour h using (balance_id, hour)
  ), spans as materialized (
    select b.id as balance_id, b.organization_id, b.pricing_model_id, b.subscription_id, b.usage_meter_id,
      m.aggregation_type = 'last' as is_last, picked_hours, span
    from (
      select balance_id, range_agg(tstzrange(hour, hour + interval '1 hour')) as picked_hours, unnest(range_agg(
        tstzrange(first_at - interval '1 hour', last_at + interval '1 hour', '[]'))) as span
      from picked where first_at <= last_at group by 1) spans
      join usage_meter_balance b on b.id = balance_id join usage_meter m on m.id = b.usage_meter_id
  ), used as materialized (
    select s.balance_id, s.organization_id, s.usage_meter_id, s.is_last, date_bin('1 hour', e.usage_date, '1970-01-01 00:00Z') as hour, e.amount,
      e.usage_date, coalesce(e.order_at, e.recorded_at) as order_at, coalesce(e.order_place, e.place) as place, e.id,
      case when jsonb_typeof(e.properties) = 'object' then e.properties else '{}' end as properties
    from spans s
      cross join lateral (
        select * from usage_event e
        where e.subscription_id = s.subscription_id and e.usage_meter_id = s.usage_meter_id
          and e.created_at >= lower(span) and e.created_at <= upper(span)
          and e.voided_at is null and e.pricing_model_id = s.pricing_model_id and e.usage_date <@ s.picked_hours
        offset 0) e
  ), named as (
    select distinct balance_id, hour, key as property from used, jsonb_object_keys(properties) key
    where octet_length(key) between 1 and ${longestUsageText}
  ), valued as (
    select used.*, '' as property, '' as value from used
    union all
    select used.*, property, coalesce('=' || (properties ->> property), '') from used join named using (balance_id, hour)
  ), parts as (
    select balance_id, property, hour, case when octet_length(value) > ${longestUsageText} then '!' else value end as value,
      organization_id, usage_meter_id, sum(amount) as amount, count(*) as events, max(amount) as largest,
      (array_agg(amount ${lastFirst}) filter (where is_last))[1] as last_amount,
      (array_agg(usage_date ${lastFirst}) filter (where is_last))[1] as last_date,
      (array_agg(order_at ${lastFirst}) filter (where is_last))[1] as last_order_at,
      (array_agg(place ${lastFirst}) filter (where is_last))[1] as last_place,
      (array_agg(id ${lastFirst}) filter (where is_last))[1] as last_id
    from valued group by 1, 2, 3, 4, 5, 6
  ), sized as (
    select *, count(*) over of_property > ${mostUsageValues} or bool_or(value = '!') over of_property as is_left_out,
      row_number() over of_property as place
    from parts window of_property as (partition by balance_id, property, hour)
  )
  insert into usage_part (balance_id, property, hour, value, organization_id, usage_meter_id, amount, events, largest,
    last_amount, last_date, last_order_at, last_place, last_id)
  select balance_id, property, hour, case when is_left_out then '!' else value end, organization_id, usage_meter_id, amount, events, largest,
    last_amount, last_date, last_order_at, last_place, last_id
  from sized where place = 1 or not is_left_out;

  update usage_hour h set counted = h.events = coalesce(whole.events, 0),
    changed_at = case when h.events = coalesce(whole.events, 0) then h.changed_at else 'infinity' end
  from unnest(balances, hours) as p (balance_id, hour)
    left join usage_part whole on whole.balance_id = p.balance_id and whole.hour = p.hour and whole.property = ''
  where h.balance_id = p.balance_id and h.hour = p.hour;

  -- Events of detached months are missing. Such an hour has no parts, and is not tried again before it changes.
  if exists (
    select from unnest(balances, hours) as p (balance_id, hour) join usage_hour h using (balance_id, hour) where not h.counted)
  then
    delete from usage_part old using unnest(balances, hours) as p (balance_id, hour) join usage_hour h using (balance_id, hour)
    where not h.counted and old.balance_id = p.balance_id and old.hour = p.hour;
  end if;
  return cardinality(balances);
end $$;
