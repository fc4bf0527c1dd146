import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { createWebhook } from '#domain/platform/commands/webhooks/create-webhook.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { recordUsageEvent } from '#domain/recording/commands/usage-events/record-usage-event.ts';
import { recordUsageEvents } from '#domain/recording/present/record-usage-events.ts';
import { aCustomer, aSubscription, aUsageMeter, fresh } from '../../../support/factories.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('the feed is sequenced for all organizations');

let transactions = 0;

async function users(session: Session, count: number) {
  const { slug } = await aUsageMeter(session);
  const subscriptions = await Promise.all(
    Array.from({ length: count }, () => aSubscription(session, { doNotCharge: true })),
  );
  await sequenceEvents(session.em);
  return subscriptions.map(({ id }) => ({
    subscriptionId: id,
    usageMeterSlug: slug,
    get transactionId() {
      return `numbered-${transactions++}`;
    },
    amount: '2',
  }));
}

const anEndpoint = (session: Session) =>
  createWebhook(
    fresh(session),
    {
      webhook: {
        name: 'Usage',
        url: 'https://example.com/hooks',
        filterTypes: ['usage_event.recorded'],
      },
    },
    { allowPrivate: true },
  );

interface Numbered {
  readonly type: string;
  readonly sequence: number | null;
}

/** The events of the feed in the order in which they were written. */
const written = ({ em, organizationId }: Session) =>
  em.execute<Numbered[]>(
    'select type, sequence::float8 as sequence from event where organization_id = ? order by position',
    [organizationId],
  );

const rising = (sequences: readonly (number | null)[]) =>
  sequences.every((one, place) => one === (sequences[0] ?? 0) + place);

test('usage has its place in the feed when it is answered, after all that was committed before', async ({
  session,
}) => {
  const usages = await users(session, 3);
  await aCustomer(session);
  expect((await written(session)).at(-1)?.sequence).toBeNull();
  await recordUsageEvents(fresh(session), { usageEvents: usages.map((usage) => ({ ...usage })) });
  const events = await written(session);
  expect(events.slice(-3).map(({ type }) => type)).toEqual(
    Array.from({ length: 3 }, () => 'usage_event.recorded'),
  );
  expect(events.map(({ sequence }) => sequence)).toSatisfy(rising);
});

test('usage for an endpoint gets its place together with its deliveries', async ({ session }) => {
  const [usage] = await users(session, 1);
  if (!usage) return;
  await anEndpoint(session);
  await recordUsageEvent(fresh(session), { usageEvent: { ...usage } });
  expect((await written(session)).at(-1)).toEqual({
    type: 'usage_event.recorded',
    sequence: null,
  });
  await sequenceEvents(session.em);
  const [deliveries] = await session.em.execute<[{ count: number }]>(
    `select count(*)::int as count from webhook_delivery
     where event_type = 'usage_event.recorded' and organization_id = ?`,
    [session.organizationId],
  );
  expect(deliveries.count).toBe(1);
});

test('readers miss no event, and endpoints no later one, when transactions number their own events', async ({
  session,
}) => {
  const usages = await users(session, 6);
  let isOver = false;
  let last = 0;
  const seen: number[] = [];
  const reader = (async () => {
    while (!isOver) {
      const rows = await session.em
        .fork()
        .execute<{ sequence: number }[]>(
          'select sequence::float8 as sequence from event where organization_id = ? and sequence > ? order by sequence',
          [session.organizationId, last],
        );
      for (const { sequence } of rows) seen.push(sequence);
      last = rows.at(-1)?.sequence ?? last;
    }
  })();
  const numbering = (async () => {
    while (!isOver) await sequenceEvents(session.em.fork(), session);
  })();
  for (let round = 0; round < 8; round++) {
    await Promise.all([
      ...usages.map((usage) => recordUsageEvent(fresh(session), { usageEvent: { ...usage } })),
      recordUsageEvents(fresh(session), { usageEvents: usages.map((usage) => ({ ...usage })) }),
      aCustomer(fresh(session)),
      ...(round === 5 ? [anEndpoint(session)] : []),
    ]);
  }
  isOver = true;
  await Promise.all([reader, numbering]);
  await sequenceEvents(session.em);
  const [{ count, largest }] = await session.em.execute<[{ count: number; largest: number }]>(
    'select count(*)::int as count, max(sequence)::float8 as largest from event where organization_id = ?',
    [session.organizationId],
  );
  expect(count).toBe(largest);
  expect(seen).toSatisfy(rising);
  const [without] = await session.em.execute<[{ count: number }]>(
    `select count(*)::int as count from event e where e.organization_id = ? and e.type = 'usage_event.recorded'
       and e.sequence > (select min(sequence) from event w where w.organization_id = ? and w.type = 'webhook.created')
       and not exists (select from webhook_delivery d where d.event_id = e.id)`,
    [session.organizationId, session.organizationId],
  );
  expect(without.count).toBe(0);
});
