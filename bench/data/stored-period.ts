import type pg from 'pg';
import { newId } from '#domain/kernel/ids.ts';
import { decimalText, unitsOf } from '#domain/kernel/values/decimal.ts';
import { addEvent, runningDigest, storedDigest } from '#domain/metering/ledger/running-digest.ts';
import type { StoredDigest } from '#domain/model/metering/usage-total.ts';
import { propertiesDigest, usageEventId } from '#domain/recording/usage-event-id.ts';
import type { Metered } from './metered-customer.ts';

const portion = 25_000;
/** The events that one call has reported; each call has a transaction in the ledger. */
const eventsOfCall = 100;
const hourMilliseconds = 3_600_000;

interface Hour {
  usage: number;
  events: number;
  readonly first: Date;
  last: Date;
}

/**
 * Stores events of the first period of a subscription that has reported one event, spread evenly until now, as if they
 * had been recorded through the service: with keys, hours, totals, balance and ledger. Each has properties of its own
 * where these are counted.
 */
export async function storePeriod(pool: pg.Pool, of: Metered, events: number, isDistinct: boolean) {
  const { rows } = await pool.query(
    `select b.id, t.price_id, t.digest from usage_meter_balance b join usage_total t on t.balance_id = b.id
     where b.subscription_id = $1 and b.usage_meter_id = $2 and t.billing_period_id = $3`,
    [of.subscriptionId, of.meterId, of.periodId],
  );
  const [{ id: balanceId, price_id: priceId, digest: stored }] = rows as [Stored];
  const digest = runningDigest(stored);
  const sumBefore = digest.sum;
  const hours = new Map<number, Hour>();
  const step = (Date.now() - of.start.getTime()) / (events + 1);
  await addMonths(pool, of.start);
  for (let from = 0; from < events; from += portion) {
    const made = Array.from({ length: Math.min(portion, events - from) }, (_, place) => {
      const n = from + place;
      const createdAt = new Date(Math.floor(of.start.getTime() + (n + 1) * step));
      const transactionId = `stored-${n}`;
      const id = usageEventId(of.meterId, transactionId);
      const properties = isDistinct ? { user: `user-${n}` } : { region: 'eu', status: 200 };
      const amount = (n % 7) + 1;
      addEvent(digest, { id, amount: String(amount), createdAt }, createdAt.getTime());
      addHour(hours, createdAt, amount);
      return { id, createdAt, transactionId, properties, amount };
    });
    await pool.query(insertion, [
      of.subscriptionId,
      of.meterId,
      priceId,
      of.periodId,
      made.map(({ id }) => id),
      made.map(({ amount }) => amount),
      made.map(({ createdAt }) => createdAt),
      made.map(({ transactionId }) => transactionId),
      made.map(({ properties }) => JSON.stringify(properties)),
    ]);
    if (!isDistinct) continue;
    const place = [of.subscriptionId, of.meterId, of.periodId];
    await pool.query(
      `insert into usage_event_distinct (digest, event_id, organization_id)
       select made.*, o.id from unnest($1::bytea[], $2::text[]) made, (select id from organization limit 1) o`,
      [made.map(({ properties }) => propertiesDigest(place, properties)), made.map(({ id }) => id)],
    );
  }
  const usage = decimalText(digest.sum - sumBefore);
  await pool.query(
    `update usage_total set usage = usage + $2, events = events + $3, digest = $4 where balance_id = $1`,
    [balanceId, usage, events, JSON.stringify(storedDigest(digest))],
  );
  await pool.query(
    `update usage_meter_balance set usage = usage + $2::numeric, overage = overage - $2::numeric where id = $1`,
    [balanceId, usage],
  );
  await storeHours(pool, balanceId, hours);
  await storeLedger(pool, balanceId, unitsOf(usage), Math.ceil(events / eventsOfCall), of.start);
  await pool.query('vacuum (analyze)');
}

interface Stored {
  readonly id: string;
  readonly price_id: string;
  readonly digest: StoredDigest;
}

const insertion = `with made as (
    select * from unnest($5::text[], $6::numeric[], $7::timestamptz[], $8::text[], $9::jsonb[])
      as made (id, amount, at, transaction_id, properties)),
  keys as (
    insert into usage_event_key (id, organization_id, created_at, recorded_at)
    select made.id, organization_id, at, at from made, subscription s where s.id = $1 order by made.id)
  insert into usage_event (pricing_model_id, created_at, id, recorded_at, updated_at, livemode, organization_id,
    customer_id, subscription_id, usage_meter_id, price_id, billing_period_id, amount, usage_date,
    transaction_id, properties)
  select s.pricing_model_id, at, made.id, at, at, s.livemode, s.organization_id, s.customer_id, s.id, $2, $3, $4, amount,
    at, transaction_id, properties
  from made, subscription s where s.id = $1`;

/** The months in which the events are recorded. */
const addMonths = (pool: pg.Pool, start: Date) =>
  pool.query(
    `select add_usage_event_month(month::date)
     from generate_series(date_trunc('month', $1::timestamptz at time zone 'UTC'), now() at time zone 'UTC', '1 month') month`,
    [start],
  );

function addHour(hours: Map<number, Hour>, at: Date, amount: number) {
  const hour = Math.floor(at.getTime() / hourMilliseconds) * hourMilliseconds;
  const known = hours.get(hour);
  if (known) {
    known.usage += amount;
    known.events += 1;
    known.last = at;
  } else hours.set(hour, { usage: amount, events: 1, first: at, last: at });
}

const storeHours = (pool: pg.Pool, balanceId: string, hours: ReadonlyMap<number, Hour>) =>
  pool.query(
    `insert into usage_hour as stored (balance_id, organization_id, hour, usage, events, first_at, last_at, changed_at, counted)
     select b.id, b.organization_id, made.*, now(), false
     from usage_meter_balance b, unnest($2::timestamptz[], $3::numeric[], $4::bigint[], $5::timestamptz[], $6::timestamptz[])
       as made (hour, usage, events, first_at, last_at) where b.id = $1
     on conflict (balance_id, hour) do update
     set usage = stored.usage + excluded.usage, events = stored.events + excluded.events,
       first_at = least(stored.first_at, excluded.first_at), last_at = greatest(stored.last_at, excluded.last_at)`,
    [
      balanceId,
      [...hours.keys()].map((hour) => new Date(hour)),
      [...hours.values()].map(({ usage }) => usage),
      [...hours.values()].map(({ events }) => events),
      [...hours.values()].map(({ first }) => first),
      [...hours.values()].map(({ last }) => last),
    ],
  );

/** The transactions of as many calls; the last one has the rest of the usage. */
async function storeLedger(
  pool: pg.Pool,
  balanceId: string,
  usage: bigint,
  calls: number,
  start: Date,
) {
  const each = usage / BigInt(calls);
  const rest = usage - each * BigInt(calls - 1);
  await pool.query(
    `insert into ledger_transaction (id, created_at, livemode, organization_id, pricing_model_id, balance_id, type,
       source_id, usage, overage)
     select $2 || n, $3::timestamptz + (now() - $3::timestamptz) * n / $4::int, b.livemode, b.organization_id,
       b.pricing_model_id, b.id, 'usage_recorded', 'stored-' || n, case when n = $4::int then $6::numeric else $5::numeric end,
       -case when n = $4::int then $6::numeric else $5::numeric end
     from usage_meter_balance b, generate_series(1, $4::int) n where b.id = $1`,
    [
      balanceId,
      `${newId('ledger_transaction')}_`,
      start,
      calls,
      decimalText(each),
      decimalText(rest),
    ],
  );
}
