// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  type BucketInterval,
  bucketIntervals,
  bucketsOf,
  spansOf,
} from '#domain/kernel/buckets.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { decimalText, unitsOf } from '#domain/kernel/values/decimal.ts';
import { keepUsageParts } from '#domain/metering/commands/usage-balances/keep-usage-parts.ts';
import { aggregationTypes } from '#domain/model/catalog/usage-meter.ts';
import {
  type UsageInput,
  usageOverTime,
} from '#domain/money/commands/statistics/usage-over-time.ts';
import { deleteTestClock } from '#domain/platform/commands/test-clocks/delete-test-clock.ts';
import { replaceUsageEvent } from '#domain/recording/commands/usage-events/replace-usage-event.ts';
import { recordUsageEvents } from '#domain/recording/present/record-usage-events.ts';
import { effort } from '../../../support/effort.ts';
import { fresh } from '../../../support/factories.ts';
import { seeded } from '../../../support/seeded.ts';
import { aHistoryFolder, archive, recordedIn } from '../../../support/servers/history.ts';
import { aTenant } from '../../../support/tenant.ts';
import { testAlone } from '../../../support/test.ts';
import { advance, aTimedSubscription } from '../../../support/timeline.ts';
import { aMeteredSubscription, voidEvent } from '../../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const nth = fc.nat(30);
const use = fc.record({
  who: fc.nat(1),
  thousandths: fc.integer({ min: 1, max: 5_000 }),
  hoursAgo: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 1_500 })),
  model: fc.constantFrom('a', 'b', 'c', 'd', 7, null, undefined, 'long'.repeat(51)),
});
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('use' as const),
      uses: fc.array(use, { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('void' as const), nth }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replace' as const), nth, use }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('advance' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('keep' as const) }) },
);

const start = Date.parse('2026-03-05T10:00:00Z');
const hour = 3_600_000;

test.for(aggregationTypes.map((aggregationType) => ({ aggregationType })))(
  'usage over time of $aggregationType is the aggregate of the events that count, whatever is recorded, voided and replaced',
  async ({ aggregationType }, { database }) => {
    const folder = await aHistoryFolder();
    const scripts = fc.array(action, { minLength: 5, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(scripts, fc.constantFrom(...bucketIntervals), async (script, interval) => {
        const { session } = await aTenant(database.orm.em);
        const one = await aMeteredSubscription(session, { aggregationType, from: '2026-03-05' });
        const other = await aTimedSubscription(session, { from: '2026-03-05' });
        const users = [one, other];
        const ids: string[] = [];
        let count = 0;
        let days = 0;
        const eventOf = ({ who, thousandths, hoursAgo, model }: Use) => ({
          subscriptionId: users[who]?.id,
          usageMeterSlug: one.slug,
          transactionId: `t${++count}`,
          amount: String(thousandths / 1_000),
          usageDate: new Date(start + (days * 24 - hoursAgo) * hour),
          ...(model !== undefined && { properties: { model } }),
        });
        for (const step of script) {
          await carryOut(step).catch((error: unknown) => {
            if (!(error instanceof DomainError)) throw error;
          });
        }
        const input = { from: new Date(start - 1_600 * hour), to: new Date(start + 40 * hour) };
        // Hours of the whole time would be too many.
        if (interval === 'hour') input.from = new Date(start - 62 * hour);
        const usageMeter = one.meterId;
        for (const scope of [
          { subscription: one.id, usageMeter },
          { subscription: one.id },
          { customer: other.customerId },
          { usageMeter },
        ]) {
          for (const groupBy of [null, 'model']) {
            const asked = { ...input, ...scope, interval, groupBy, groups: 2 };
            const events = await eventsOf(session, scope);
            expect(await shown(session, asked), JSON.stringify({ aggregationType, asked })).toEqual(
              expected(events, asked, aggregationType),
            );
          }
        }

        // The sums of the meter lose what a deleted customer had.
        await keep(session);
        await deleteTestClock(fresh(session), { id: other.clockId });
        const asked = { ...input, usageMeter, interval, groupBy: 'model', groups: 2 };
        expect(await shown(session, asked)).toEqual(
          expected(await eventsOf(session, {}), asked, aggregationType),
        );
        await expectSameFromFiles(session, folder, ids, [
          { ...input, interval, subscription: one.id },
          { ...input, interval, usageMeter },
          { ...input, interval, usageMeter, groupBy: 'model', groups: 2 },
        ]);

        async function carryOut(step: Action): Promise<unknown> {
          if (step.do === 'use') {
            const usageEvents = step.uses.map(eventOf) as never;
            const { events } = await recordUsageEvents(fresh(session), { usageEvents });
            return ids.push(...events.map(({ id }) => id));
          }
          if (step.do === 'keep') return keep(session);
          if (step.do === 'advance') {
            days += 10;
            const to = new Date(start + days * 24 * hour).toISOString();
            for (const { clockId } of users) await advance(session, clockId, to);
            return undefined;
          }
          const id = ids.at(ids.length === 0 ? 0 : step.nth % ids.length);
          if (!id) return undefined;
          if (step.do === 'void') return voidEvent(session, id);
          const { subscriptionId: _, usageMeterSlug: __, ...usageEvent } = eventOf(step.use);
          const input = { id, usageEvent: usageEvent as never, reason: 'A mistake' };
          ids.push((await replaceUsageEvent(fresh(session), input)).id);
          return undefined;
        }
      }),
      seeded('usage-over-time.property.test.ts', {
        numRuns: 3 * effort,
      }),
    );
  },
);

/** Has the job aggregate all hours, as if they were over. */
async function keep({ em }: Session) {
  await keepUsageParts(em.fork(), new Date('2100-01-01'));
  const [row] = await em
    .fork()
    .execute<{ open: number }[]>('select count(*)::int as open from usage_hour where not counted');
  expect(row?.open).toBe(0);
}

let months = 0;

/** Expects the same usage after some of the events have moved to files, also where hours are read from events. */
async function expectSameFromFiles(
  session: Session,
  folder: string,
  ids: readonly string[],
  asked: readonly UsageInput[],
) {
  const some = ids.filter((_, place) => place % 2 === 0);
  if (some.length === 0) return;
  months += 1;
  const month = `20${10 + Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`;
  await recordedIn(session, month, some);
  // Their order is another one then.
  await mark(session, false);
  await keep(session);
  const read = () => Promise.all(asked.map((input) => shown(session, input)));
  const before = await read();
  await archive(session, folder);
  expect(await read()).toEqual(before);
  await mark(session, false);
  expect(await read()).toEqual(before);
  await mark(session, true);
}

/** Has all hours read from their parts, or from events. */
const mark = ({ em, pricingModelId }: Session, counted: boolean) =>
  em.fork().execute(
    `update usage_hour set counted = ? where balance_id in (
       select id from usage_meter_balance where pricing_model_id = ?)`,
    [counted, pricingModelId],
  );

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;
type Use = typeof use extends fc.Arbitrary<infer T> ? T : never;

/** The series without empty points. */
async function shown(session: Session, input: UsageInput) {
  const series = await usageOverTime(fresh(session), input);
  const buckets = spansOf(bucketsOf(input));
  for (const { points } of series) {
    expect(points.map(({ start }) => start.getTime())).toEqual(buckets.map(({ start }) => start));
  }
  return series
    .map(({ value, isOthers, points }) => ({
      value,
      isOthers,
      points: points
        .filter(({ events, usage }) => events !== 0 || usage !== '0')
        .map(({ start, usage, events }) => ({ start: start.getTime(), usage, events })),
    }))
    .filter(({ points }) => points.length > 0);
}

interface EventRow {
  readonly subscriptionId: string;
  readonly amount: string;
  readonly usedAt: number;
  /** Its place in the order of corrections. */
  readonly turn: number;
  readonly model: string | null;
  readonly properties: string;
}

function eventsOf(
  { em, pricingModelId }: Session,
  { subscription, customer }: Partial<UsageInput>,
): Promise<EventRow[]> {
  return em.fork().execute<EventRow[]>(
    `select subscription_id as "subscriptionId", trim_scale(amount)::text as amount,
       (extract(epoch from usage_date) * 1000)::float8 as "usedAt", properties ->> 'model' as model,
       coalesce(properties, '{}')::text as properties,
       row_number() over (order by coalesce(order_at, recorded_at), coalesce(order_place, place), id)::int as turn
     from usage_event where pricing_model_id = ? and voided_at is null
       and subscription_id = coalesce(?, subscription_id) and customer_id = coalesce(?, customer_id)
     order by turn`,
    [pricingModelId, subscription ?? null, customer ?? null],
  );
}

function expected(
  events: readonly EventRow[],
  input: UsageInput & { groups: number },
  type: (typeof aggregationTypes)[number],
) {
  const spans = spansOf(bucketsOf(input));
  const inTime = events.filter(
    ({ usedAt }) => usedAt >= (spans[0]?.start ?? 0) && usedAt < (spans.at(-1)?.end ?? 0),
  );
  const keyed = Map.groupBy(inTime, ({ model }) => (input.groupBy ? model : null));
  const ordered = [...keyed].toSorted(
    ([one, ones], [other, others]) =>
      others.length - ones.length || ((one ?? '~') < (other ?? '~') ? -1 : 1),
  );
  const most = input.groupBy ? input.groups : 1;
  const own = ordered.slice(0, most).map(([value, events]) => ({ value, isOthers: false, events }));
  const rest = ordered.slice(most).flatMap(([, events]) => events);
  const series = rest.length > 0 ? [...own, { value: null, isOthers: true, events: rest }] : own;
  return series.map(({ events, ...of }) => ({
    ...of,
    points: spans.flatMap(({ start, end }) => {
      const within = events.filter(({ usedAt }) => usedAt >= start && usedAt < end);
      if (within.length === 0) return [];
      const bySubscription = Map.groupBy(within, ({ subscriptionId }) => subscriptionId);
      const usage = [...bySubscription.values()].reduce(
        (sum, events) => sum + aggregate(events, type),
        0n,
      );
      return { start, usage: decimalText(usage), events: within.length };
    }),
  }));
}

/** The events of one subscription and bucket, in their order. */
function aggregate(events: readonly EventRow[], type: (typeof aggregationTypes)[number]): bigint {
  const amounts = events.map(({ amount }) => unitsOf(amount));
  const sum = (all: readonly bigint[]) => all.reduce((sum, amount) => sum + amount, 0n);
  if (type === 'sum') return sum(amounts);
  if (type === 'count') return unitsOf(String(events.length));
  if (type === 'max') return amounts.reduce((most, amount) => (amount > most ? amount : most));
  if (type === 'last') {
    const last = events.toSorted((a, b) => a.usedAt - b.usedAt || a.turn - b.turn).at(-1);
    return unitsOf(last?.amount ?? '0');
  }
  const first = new Map(events.toReversed().map((event) => [event.properties, event.amount]));
  return sum([...first.values()].map(unitsOf));
}

test.for(bucketIntervals.map((interval) => ({ interval })))(
  'usage over time by $interval is answered at either end of time',
  async ({ interval }: { interval: BucketInterval }, { session }) => {
    const user = await aMeteredSubscription(session, { aggregationType: 'max' });
    for (const [from, to] of [
      ['0001-01-01', '0001-01-20'],
      ['9999-12-20', '9999-12-31T23:59:59.999Z'],
    ] as const) {
      const input = { from: new Date(from), to: new Date(to), interval, usageMeter: user.meterId };
      const [series] = await usageOverTime(fresh(session), input);
      expect(series?.points.every(({ usage, events }) => usage === '0' && events === 0)).toBe(true);
    }
  },
);
