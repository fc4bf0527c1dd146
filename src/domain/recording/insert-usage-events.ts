import type { Session } from '#domain/kernel/session.ts';
import type { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { Slices } from '#engines/lockstep/slices.ts';
import { type Statement, statement, statements } from '#engines/lockstep/statement.ts';
import type { Row } from './usage-call.ts';

const few = 40;
/** The largest text of properties in one statement: more would block other requests of the process. */
const largestPiece = 1024 * 1024;
/** The most events in one statement, for the same reason. */
const mostInBatch = 2_500;

/**
 * Inserts the events whose ids are unused, and returns those rows by their ids; of several with one id the first
 * counts. Ids are inserted in their order, so overlapping calls wait without a deadlock. The second call waits for
 * the first to commit, and then finds the event. It takes one statement, or a few for very many events or large properties. Arrays
 * of columns are the cheapest form, above all when common values are sent once. The last one takes further statements
 * with it.
 */
export async function insertUsageEvents(
  session: Session,
  rows: readonly Row[],
  further: readonly Statement[] = [],
): Promise<Inserted> {
  const byId = new Map<string, Row>();
  for (const row of rows) if (!byId.has(row.event.id)) byId.set(row.event.id, row);
  const taken: { id: string }[] = [];
  const batches = await batchesOf([...byId.values()]);
  const before = batches.length > 1 ? await reservePositions(session, byId.size) : null;
  const last = batches.length - 1;
  let results: Inserted['further'] = [];
  for (const [place, batch] of batches.entries()) {
    const insert = insertOf(session, batch, before);
    const together = place === last ? [insert, ...further] : [insert];
    const [own = [], ...others] = await statements(session.em, together);
    taken.push(...(own as { id: string }[]));
    results = others;
  }
  // In the order of the calls, which decides the counting, not in the database's.
  const ids = new Set(taken.map(({ id }) => id));
  return { claimed: new Map([...byId].filter(([id]) => ids.has(id))), further: results };
}

/** The result of an insertion. */
interface Inserted {
  /** The rows that are new, by their ids. */
  readonly claimed: ReadonlyMap<string, Row>;
  /** The rows of each of the further statements. */
  readonly further: readonly (readonly unknown[])[];
}

interface Written extends Pick<Row, 'event' | 'kind'> {
  /** The properties as JSON. */
  readonly json: string | null;
  /** The event's place among those of its transaction. */
  readonly place: number;
}

/** One batch for small events; large ones are split by their ids, so that all calls insert ids in one order. */
async function batchesOf(rows: readonly Row[]): Promise<Written[][]> {
  const slices = new Slices();
  const written: Written[] = [];
  let length = 0;
  for (const [index, { event, kind }] of rows.entries()) {
    const json = event.properties ? JSON.stringify(event.properties) : null;
    length += json?.length ?? 0;
    written.push({ event, kind, json, place: index + 1 });
    if (slices.isOver) await slices.turn();
  }
  if (length <= largestPiece && written.length <= mostInBatch) return [written];
  written.sort((one, other) => (one.event.id < other.event.id ? -1 : 1));
  const batches: Written[][] = [];
  let room = 0;
  for (const one of written) {
    if (room <= 0 || batches.at(-1)?.length === mostInBatch) {
      batches.push([]);
      room = largestPiece;
    }
    batches.at(-1)?.push(one);
    room -= one.json?.length ?? 0;
  }
  return batches;
}

/** Reserves a position for each of `count` events; returns the position before the first. */
async function reservePositions({ em }: Session, count: number): Promise<string> {
  const [row] = await statement<{ before: string }>(
    em,
    'reserve positions',
    `select min(position) - 1 as before
     from (select nextval('usage_event_position_seq') as position from generate_series(1, $1)) as reserved`,
    [count],
  );
  return row?.before ?? '0';
}

/** Inserts a batch. `before` is the position before the reserved ones; without it the database assigns positions. */
function insertOf(
  { livemode, organizationId, pricingModelId }: Session,
  batch: readonly Written[],
  before: string | null,
): Statement {
  const events = batch.map(({ event }) => event);
  // Common values of many events are sent once, and each event refers to its own.
  const shared = new Map<string, { place: number; event: UsageEvent }>();
  const kinds = batch.map(({ event, kind }) => {
    const { firstRecordedAt } = event;
    const key = firstRecordedAt ? `${kind.key} ${firstRecordedAt.getTime()}` : kind.key;
    const known = shared.get(key);
    if (known) return known.place;
    shared.set(key, { place: shared.size + 1, event });
    return shared.size;
  });
  const common = [...shared.values()].map(({ event }) => event);
  return {
    // A plan for few rows would compare many rows with each other.
    name: events.length > few ? undefined : 'insert usage events',
    text: `with e as (
       select coalesce($19::bigint + e.place, nextval('usage_event_position_seq')) as position, e.*
       from unnest($4::int[], $5::text[], $6::numeric[], $7::timestamptz[], $8::text[], $9::jsonb[], $18::int[])
         as e (kind, id, amount, usage_date, transaction_id, properties, place)),
     c as (
       select * from unnest($10::timestamptz[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[],
         $16::timestamptz[], $17::boolean[])
         with ordinality as c (created_at, customer_id, subscription_id, usage_meter_id, price_id,
           billing_period_id, first_recorded_at, after_end, kind)),
     claimed as (
       insert into usage_event_key (id, organization_id, created_at, recorded_at, position)
       select e.id, $3, c.created_at, now(), e.position from e join c using (kind)
       order by e.id collate "C" on conflict do nothing returning id)
     insert into usage_event (pricing_model_id, created_at, id, recorded_at, updated_at, livemode, organization_id,
       customer_id, subscription_id, usage_meter_id, price_id, billing_period_id, amount, usage_date,
       transaction_id, properties, place, position,
       first_recorded_at, after_end)
     select $1, c.created_at, e.id, now(), c.created_at, $2, $3, c.customer_id, c.subscription_id,
       c.usage_meter_id, c.price_id, c.billing_period_id, e.amount, e.usage_date, e.transaction_id, e.properties, e.place, e.position,
       c.first_recorded_at, c.after_end
     from claimed join e using (id) join c using (kind)
     returning id`,
    values: [
      pricingModelId,
      livemode,
      organizationId,
      kinds,
      events.map(({ id }) => id),
      events.map(({ amount }) => amount),
      events.map(({ usageDate }) => usageDate),
      events.map(({ transactionId }) => transactionId),
      batch.map(({ json }) => json),
      common.map(({ createdAt }) => createdAt),
      common.map(({ customerId }) => customerId),
      common.map(({ subscriptionId }) => subscriptionId),
      common.map(({ usageMeterId }) => usageMeterId),
      common.map(({ priceId }) => priceId),
      common.map(({ billingPeriodId }) => billingPeriodId),
      common.map(({ firstRecordedAt }) => firstRecordedAt),
      common.map(({ afterEnd }) => afterEnd),
      batch.map(({ place }) => place),
      before,
    ],
  };
}
