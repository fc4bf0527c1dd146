import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { aCustomer, aSubscription, aUsageMeter } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test as base } from '../../../support/test.ts';
import { advance } from '../../../support/timeline.ts';
import { aMeteredSubscription, grant, type User, use, voidEvent } from '../../../support/usage.ts';

interface Message {
  readonly data: {
    readonly usageBalanceChanged: {
      readonly asOfSequence: number;
      readonly balances: readonly Record<'available' | 'used' | 'granted', number>[];
    };
  };
}

const document = `subscription($id: ID!, $after: Sequence) {
  usageBalanceChanged(subscriptionId: $id, after: $after) {
    asOfSequence balances { available used granted burnRatePerHour projectedPeriodTotal runsOutAt }
  }
}`;

const test = base.extend('watch', ({ gateway, tenant }, { onCleanup }) => {
  const open = new Set<AbortController>();
  onCleanup(() => {
    for (const aborted of open) aborted.abort();
  });
  /** Follows the balances of a subscription; `next` waits for a message, so no test has to guess a time. */
  return async (id: string, after?: number, key = tenant.key) => {
    const aborted = new AbortController();
    open.add(aborted);
    const response = await gateway.fetch('http://test/graphql', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ query: document, variables: { id, after } }),
      signal: aborted.signal,
    });
    const messages = messagesOf(response);
    return {
      async next() {
        const { value } = await messages.next();
        if (!value?.data) throw new Error(`No message: ${JSON.stringify(value)}`);
        const { asOfSequence, balances } = (value as Message).data.usageBalanceChanged;
        return { asOfSequence, balances, available: balances[0]?.available };
      },
      text: async () => JSON.stringify((await messages.next()).value),
      leave: () => aborted.abort(),
    };
  };
});

async function* messagesOf(response: Response) {
  let text = '';
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const data = /^data: (\{.*)$/m.exec(part)?.[1];
      if (data) yield JSON.parse(data);
    }
  }
}

/** A customer who uses something; who pays does not matter. */
async function aUser(session: Session): Promise<User> {
  const { id: customerId } = await aCustomer(session);
  const { id } = await aSubscription(session, { customerId, doNotCharge: true });
  return { id, slug: (await aUsageMeter(session)).slug };
}

/** Waits for the message that states this is available; those between are all different. */
async function until(
  stream: { next(): Promise<{ available: number | undefined; asOfSequence: number }> },
  available: number,
) {
  for (let last = -1; ; ) {
    const message = await stream.next();
    expect(message.asOfSequence).toBeGreaterThan(last);
    last = message.asOfSequence;
    if (message.available === available) return message;
  }
}

test('first the balances as they are, then each change, with the place in the feed', async ({
  session,
  watch,
}) => {
  const user = await aUser(session);
  await grant(session, user, 100);
  const stream = await watch(user.id);
  const first = await stream.next();
  expect(first.balances).toMatchObject([{ available: 100, used: 0, granted: 100 }]);
  const [event] = await use(session, user, 30);
  const second = await until(stream, 70);
  expect(second.asOfSequence).toBeGreaterThan(first.asOfSequence);
  await voidEvent(session, event?.id ?? '');
  await until(stream, 100);
  await grant(session, user, 11);
  await until(stream, 111);
});

test('many changes within a second are reported at most four times, and the last message has them all', async ({
  session,
  watch,
}) => {
  const user = await aUser(session);
  const began = Date.now();
  const stream = await watch(user.id);
  await stream.next();
  const using = (async () => {
    for (let n = 0; n < 60; n++) await use(session, user, 1);
  })();
  let messages = 1;
  for (let available: number | undefined = 0; available !== -60; messages++) {
    available = (await stream.next()).available;
  }
  expect(messages).toBeLessThanOrEqual(1 + (Date.now() - began) / 250);
  expect(messages).toBeLessThan(60);
  await using;
});

test('who lost the connection continues behind what was seen last', async ({ session, watch }) => {
  const user = await aUser(session);
  const stream = await watch(user.id);
  const { asOfSequence } = await stream.next();
  stream.leave();
  await use(session, user, 5);
  const resumed = await watch(user.id, asOfSequence);
  expect((await until(resumed, -5)).asOfSequence).toBeGreaterThan(asOfSequence);
  await use(session, user, 6);
  await until(resumed, -11);
});

test('what others use is not told', async ({ session, watch }) => {
  const [user, other] = [await aUser(session), await aUser(session)];
  const stream = await watch(user.id);
  await stream.next();
  await use(session, other, 5);
  await use(session, user, 7);
  expect((await stream.next()).available).toBe(-7);
});

test('a boundary is reported: credits that run out, new ones, and what is billed', async ({
  session,
  watch,
}) => {
  const user = await aMeteredSubscription(session, { credits: 100 });
  await use(session, user, 130);
  const stream = await watch(user.id);
  expect((await stream.next()).available).toBe(-30);
  await advance(session, user.clockId, '2026-03-01');
  await until(stream, 100);
});

test('a forecast is made from what was used in the last day', async ({ session, graphql }) => {
  const user = await aMeteredSubscription(session, { from: '2026-02-28', credits: 100 });
  await advance(session, user.clockId, '2026-03-10');
  await use(session, user, { amount: '12', usageDate: new Date('2026-03-10T09:30:00Z') });
  const { data } = await graphql(
    `query($id: ID!) { subscription(id: $id) { usageMeterBalances {
      burnRatePerHour projectedPeriodTotal runsOutAt } } }`,
    { id: user.id },
  );
  const [forecast] = data.subscription.usageMeterBalances;
  // 24 hours began at 11:00 the day before, 23 of them are over: 12 / 23 an hour.
  expect(forecast.burnRatePerHour).toBeCloseTo(12 / 23, 9);
  const hoursLeft =
    (Date.parse('2026-03-28T10:00:00Z') - Date.parse('2026-03-10T10:00:00Z')) / 3_600_000;
  expect(forecast.projectedPeriodTotal).toBeCloseTo(12 + (12 / 23) * hoursLeft, 6);
  expect(forecast.runsOutAt).toBeCloseTo(
    Date.parse('2026-03-10T10:00:00Z') + (88 / (12 / 23)) * 3_600_000,
    -1,
  );
});

test('credits that are renewed before they would run out have no end', async ({
  session,
  graphql,
}) => {
  const user = await aMeteredSubscription(session, { from: '2026-02-28', credits: 100 });
  await advance(session, user.clockId, '2026-03-10');
  await use(session, user, { amount: '2', usageDate: new Date('2026-03-10T09:30:00Z') });
  const { data } = await graphql(
    'query($id: ID!) { subscription(id: $id) { usageMeterBalances { available runsOutAt } } }',
    { id: user.id },
  );
  expect(data.subscription.usageMeterBalances).toEqual([{ available: 98, runsOutAt: null }]);
});

test('a subscription of another organization is not found, and a publishable key may not watch', async ({
  session,
  database,
  watch,
}) => {
  const user = await aUser(session);
  const { key } = await aTenant(database.orm.em);
  expect(await (await watch(user.id, undefined, key)).text()).toContain('NOT_FOUND');
  const publishable = await aKey(session, 'publishable');
  expect(await (await watch(user.id, undefined, publishable)).text()).toContain('FORBIDDEN');
});
