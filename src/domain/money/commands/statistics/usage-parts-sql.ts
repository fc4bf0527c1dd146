/**
 * Parts of statements of usage. The parameters are the pricing model, the meters, the time span, the number of groups,
 * and the property; the empty text is none.
 */

const inTime = (hour: string) => `${hour} >= $3 and ${hour} < $4`;

/** Hours whose events are read: without valid parts, or with too many values of the property. */
export const openHours = (isOfMeter: boolean) => `open as materialized (
       select b.id, b.subscription_id, b.usage_meter_id, h.hour, h.first_at, h.last_at, h.usage, h.events
       from balances b join usage_hour h on h.balance_id = b.id
       where not h.counted and ${inTime('h.hour')}
     ), pending as materialized (
       select * from open
       union all
       select b.id, b.subscription_id, b.usage_meter_id, h.hour, h.first_at, h.last_at, h.usage, h.events
       from balances b join usage_part p on p.balance_id = b.id join usage_hour h on h.balance_id = b.id and h.hour = p.hour
       where h.counted and $6 <> '' and p.property = $6 and p.value = '!' and ${inTime('p.hour')}
         ${isOfMeter ? 'and p.usage_meter_id = any($2::text[])' : ''}
     )`;

const last = (alias: string) =>
  `${alias}.last_amount, ${alias}.last_date, ${alias}.last_order_at, ${alias}.last_place, ${alias}.last_id`;
const noLast =
  'null::numeric as largest, null::numeric as last_amount, null::timestamptz as last_date, null::timestamptz as last_order_at, null::int as last_place, null::text as last_id';

/** The parts of counted hours: of each value, and of all events where none has the property. */
export const keptParts = `select b.usage_meter_id as meter, b.subscription_id, p.hour,
         case when p.value <> '' then substr(p.value, 2) end as value, p.amount, p.events, p.largest, ${last('p')}
       from balances b join usage_part p on p.balance_id = b.id and p.property = $6 and ${inTime('p.hour')}
       where p.value <> '!' and not exists (select from open where open.id = b.id and open.hour = p.hour)
       union all
       select b.usage_meter_id, b.subscription_id, p.hour, null, p.amount, p.events, p.largest, ${last('p')}
       from balances b join usage_part p on p.balance_id = b.id and p.property = '' and ${inTime('p.hour')}
       where $6 <> '' and not exists (select from open where open.id = b.id and open.hour = p.hour)
         and not exists (
           select from usage_part own where own.balance_id = b.id and own.property = $6 and own.hour = p.hour)`;

/**
 * The sums of a meter, less those of the hours that are read from events. The events without the property are all of
 * them, less those with a value.
 */
export const meterParts = `select stored.meter, null as subscription_id, stored.hour, of.value,
         of.sign * stored.amount as amount, of.sign * stored.events as events, ${noLast}
       from (
         select usage_meter_id as meter, property, hour, value, amount, events from usage_meter_part
         where usage_meter_id = any($2::text[]) and property in ('', $6) and ${inTime('hour')}
         union all
         select p.usage_meter_id, p.property, p.hour, p.value, -p.amount, -p.events
         from pending join usage_part p on p.balance_id = pending.id and p.hour = pending.hour and p.property in ('', $6)
         where p.value <> '!' and (p.property = '' or p.value <> '')
       ) stored cross join lateral (
         select null as value, case stored.property when '' then 1 else -1 end as sign
         union all select substr(stored.value, 2), 1 where stored.property <> ''
       ) of`;

/**
 * The events of hours that are open or left out, each as a unit. The index of events leads to their time spans; those of
 * neighbouring hours are one, so that each event is read once. `offset 0` keeps the search by span.
 */
export const pendingEvents = `select e.usage_meter_id, e.subscription_id,
         date_bin('1 hour', e.usage_date, '1970-01-01 00:00Z') as hour, e.properties ->> nullif($6, '') as value,
         e.amount, 1 as events, e.amount as largest, e.amount, e.usage_date, coalesce(e.order_at, e.recorded_at),
         coalesce(e.order_place, e.place), e.id
       from (
         select subscription_id, usage_meter_id, range_agg(tstzrange(hour, hour + interval '1 hour')) as hours,
           unnest(range_agg(tstzrange(first_at - interval '1 hour', last_at + interval '1 hour', '[]'))) as span
         from pending where first_at <= last_at group by 1, 2) spans
         cross join lateral (
           select * from usage_event e
           where e.subscription_id = spans.subscription_id and e.usage_meter_id = spans.usage_meter_id
             and e.created_at >= lower(span) and e.created_at <= upper(span) and e.pricing_model_id = $1
             and e.voided_at is null and e.usage_date <@ spans.hours offset 0) e`;

/** The time spans of the hours that are open or left out, for reads of files; the fifth parameter limits them. */
export const pendingSpans = `select subscription_id as "subscriptionId", usage_meter_id as "usageMeterId",
       (extract(epoch from lower(span)) * 1000)::float8 as "from", (extract(epoch from upper(span)) * 1000)::float8 as "to"
     from (
       select subscription_id, usage_meter_id, unnest(range_agg(tstzrange(hour, hour + interval '1 hour'))) as span
       from pending where first_at <= last_at group by 1, 2) spans limit $5::int`;

/** The usage of such hours in files, by sets of properties where these are wanted: the ninth parameter. */
export const fileEvents = `select meter, subscription_id, to_timestamp(start / 1000), properties::jsonb ->> nullif($6, ''),
         amount, events, largest, (one ->> 'amount')::numeric, to_timestamp((one ->> 'usage_date')::float8 / 1000),
         to_timestamp((one ->> 'order_at')::float8 / 1000), (one ->> 'order_place')::int, one ->> 'id'
       from jsonb_to_recordset($9::jsonb) as old (meter text, subscription_id text, start float8, properties text,
         events int, amount numeric, largest numeric, one jsonb)`;
