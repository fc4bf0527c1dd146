import type { Session } from '#domain/kernel/session.ts';
import { unitsOf } from '#domain/kernel/values/decimal.ts';
import type { Hour } from '#domain/metering/credits/write-ledgers.ts';
import {
  changeUsage,
  coverOpen,
  expireCredits,
  type Step,
} from '#domain/metering/ledger/change-usage.ts';
import { type Ledger, type Total, totalOf } from '#domain/metering/ledger/ledger.ts';
import { recordOwedOfClosed } from '#domain/metering/ledger/record-owed-of-closed.ts';
import { addEvent } from '#domain/metering/ledger/running-digest.ts';
import { cellOf } from '#domain/model/catalog/matrix-charges.ts';
import { eventOrder } from '#domain/model/recording/usage-event.ts';
import { Slices } from '#engines/lockstep/slices.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { outrunProperties, stepsInPlaceOf } from './replace-in-order.ts';
import { correctionOf } from './usage-before-event.ts';
import type { Row } from './usage-call.ts';
import { propertiesDigest } from './usage-event-id.ts';

const hourMilliseconds = 3_600_000;
const once = unitsOf('1');

/**
 * Aggregates new events on locked ledgers as their meters define: each period and price is one change, also for several
 * calls. Returns the rise of usage in each hour.
 */
export async function countUsage(
  session: Session,
  ledgers: ReadonlyMap<string, Ledger>,
  rows: readonly Row[],
): Promise<Hour[]> {
  const firstOfProperties = await newProperties(session, rows);
  const outrun = await outrunProperties(session, rows, firstOfProperties);
  const outdone = await outdoneByKnown(session, ledgers, rows);
  for (const ledger of ledgers.values()) expireCredits(ledger);
  const hours = new Map<Ledger, Map<number, Hour>>();
  const changes = new Map<string, CountedChange>();
  // Each total with the events so far, also those of other calls.
  const present = new Map<Total, bigint>();
  const slices = new Slices();
  for (const row of rows) {
    const { event, period, kind } = row;
    const ledger = ledgers.get(kind.ledgerKey) as Ledger;
    const total = totalOf(ledger, period.id, event.priceId, kind.totalKey);
    let change = changes.get(kind.key);
    if (!change) {
      change = { row, ledger, by: 0n, together: [], cells: new Map() };
      changes.set(kind.key, change);
    }
    for (const step of stepsInPlaceOf(row, outrun)) {
      change.together.push(step);
      const total = totalOf(ledger, period.id, step.priceId);
      present.set(total, (present.get(total) ?? total.usage) + step.by);
    }
    const before = present.get(total) ?? total.usage;
    const last = isLast(total, event) && !outdone.has(event.id);
    const counts = firstOfProperties.has(event.id) || outrun.has(event.id);
    const by = riseOf(row, before, counts, last);
    present.set(total, before + by);
    change.by += by;
    const { matrix } = row.resolved;
    if (matrix) {
      const cell = cellOf(matrix, event.properties);
      change.cells.set(cell, (change.cells.get(cell) ?? 0n) + by);
    }
    total.events += 1;
    if (total.digest) addEvent(total.digest, event, ledger.recordedAt);
    if (last) {
      total.lastUsageDate = event.usageDate.getTime();
      total.lastEventId = event.id;
    }
    ledger.changedTotals.add(total);
    // Voided usage has its hour already.
    addHour(hours, ledger, event, by + (outrun.get(event.id)?.by ?? 0n));
    if (slices.isOver) await slices.turn();
  }
  for (const { row, ledger, by, together, cells } of changes.values()) {
    // Credits whose reservation has ended cover the usage that they could not cover before.
    if (!row.period.closed) coverOpen(ledger, row.event.id, row.period);
    const source = { type: 'usage_recorded', sourceId: row.event.id } as const;
    const { event, period, resolved } = row;
    const correction = event.firstRecordedAt
      ? await correctionOf(session, ledger, period, event, resolved.meter)
      : undefined;
    changeUsage(ledger, {
      source,
      period,
      priceId: event.priceId,
      by,
      cells,
      together,
      correction,
    });
  }
  await recordOwedOfClosed(
    session,
    rows
      .filter(({ period }) => period.closed)
      .map(({ period, kind }) => ({ ledger: ledgers.get(kind.ledgerKey) as Ledger, period })),
  );
  return [...hours.values()].flatMap((own) => [...own.values()]);
}

/** The change of a period and price by the events of all calls. */
interface CountedChange {
  readonly row: Row;
  readonly ledger: Ledger;
  by: bigint;
  readonly together: Step[];
  /** For a price with a matrix: the change of each cell. */
  readonly cells: Map<string, bigint>;
}

/** By how much one more event raises the aggregated usage of its period. */
function riseOf({ event, resolved }: Row, present: bigint, counts: boolean, last: boolean): bigint {
  const amount = unitsOf(event.amount);
  switch (resolved.meter.aggregationType) {
    case 'sum':
      return amount;
    case 'count':
      return once;
    case 'count_distinct_properties':
      return counts ? amount : 0n;
    case 'max':
      return amount > present ? amount - present : 0n;
    case 'last':
      return last ? amount - present : 0n;
  }
}

const isLast = ({ lastUsageDate }: Total, { usageDate }: Row['event']) =>
  lastUsageDate === null || usageDate.getTime() >= lastUsageDate;

/**
 * New events that do not count as the last ones although no later date is known. Another event of the same date comes
 * after them in the order of corrections, which is the start of the transaction. Concurrent calls lock ledgers in
 * another order.
 */
async function outdoneByKnown(
  { em, pricingModelId }: Session,
  ledgers: ReadonlyMap<string, Ledger>,
  rows: readonly Row[],
): Promise<Set<string>> {
  const ties = rows.flatMap(({ event, period, kind, resolved }) => {
    if (resolved.meter.aggregationType !== 'last') return [];
    const ledger = ledgers.get(kind.ledgerKey) as Ledger;
    const { lastUsageDate, lastEventId } = totalOf(ledger, period.id, event.priceId);
    return lastUsageDate === event.usageDate.getTime() ? { id: event.id, lastEventId } : [];
  });
  if (ties.length === 0) return new Set();
  const outdone = await statement<{ id: string }>(
    em,
    'outdone usage events',
    `with tied as (select * from unnest($1::text[], $2::text[]) as tied (id, last_id)),
     placed as (
       select e.id, row(${eventOrder('e')}) as place from usage_event_key k join usage_event e on e.pricing_model_id = $3
         and e.created_at = k.created_at and e.position = k.position and e.id = k.id
         and e.recorded_at = k.recorded_at
       where k.id in (select id from tied union select last_id from tied))
     select tied.id from tied join placed one on one.id = tied.id join placed other on other.id = tied.last_id
     where one.place < other.place`,
    [ties.map(({ id }) => id), ties.map(({ lastEventId }) => lastEventId), pricingModelId],
  );
  return new Set(outdone.map(({ id }) => id));
}

function addHour(
  hours: Map<Ledger, Map<number, Hour>>,
  ledger: Ledger,
  { usageDate, createdAt }: Row['event'],
  usage: bigint,
) {
  const hour = Math.floor(usageDate.getTime() / hourMilliseconds) * hourMilliseconds;
  const at = createdAt.getTime();
  let own = hours.get(ledger);
  if (!own) {
    own = new Map();
    hours.set(ledger, own);
  }
  const known = own.get(hour);
  if (!known) {
    const { balanceId } = ledger;
    own.set(hour, { balanceId, hour, usage, events: 1, firstAt: at, lastAt: at });
    return;
  }
  known.usage += usage;
  known.events += 1;
  if (known.firstAt === null || at < known.firstAt) known.firstAt = at;
  if (known.lastAt === null || at > known.lastAt) known.lastAt = at;
}

/** The events with new properties in their period, for meters that count distinct properties. */
async function newProperties(
  { em, organizationId }: Session,
  rows: readonly Row[],
): Promise<Set<string>> {
  const digests = new Map<string, { digest: Buffer; eventId: string }>();
  for (const { event, resolved, period } of rows) {
    if (resolved.meter.aggregationType !== 'count_distinct_properties') continue;
    const of = [event.subscriptionId, event.usageMeterId, period.id];
    const digest = propertiesDigest(of, event.properties ?? {});
    const key = digest.toString('base64');
    if (!digests.has(key)) digests.set(key, { digest, eventId: event.id });
  }
  if (digests.size === 0) return new Set();
  const wanted = [...digests.values()].sort((a, b) => a.digest.compare(b.digest));
  const firstOfProperties = await statement<{ eventId: string }>(
    em,
    'new properties',
    `insert into usage_event_distinct (digest, event_id, organization_id)
     select digest, event_id, $3 from unnest($1::bytea[], $2::text[]) as wanted (digest, event_id) order by digest
     on conflict do nothing returning event_id as "eventId"`,
    [wanted.map(({ digest }) => digest), wanted.map(({ eventId }) => eventId), organizationId],
  );
  return new Set(firstOfProperties.map(({ eventId }) => eventId));
}
