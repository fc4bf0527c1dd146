// @module-tag long
import { createClient } from 'graphql-ws';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import { carryOnTestClocks } from '#domain/platform/commands/test-clocks/carry-on-test-clocks.ts';
import type { EventHub } from '#server/feed/event-hub.ts';
import { createLogger } from '#server/observability/logger.ts';
import { startServer } from '#server/server.ts';
import { createGateway } from '#server/yoga.ts';
import { testAlone } from '../../../support/test.ts';
import { aTimedSubscription, at, eventsOf, fresh, storyOf } from '../../../support/timeline.ts';

/** A server whose followers are noted: from then on they miss no change. */
const test = testAlone('its gateway has settings of its own')
  .extend('watched', { scope: 'file' }, () => new Set<string>())
  .extend('gateway', { scope: 'file' }, ({ database, hub, watched }) =>
    createGateway({
      orm: database.orm,
      hub: noting(hub, watched),
      logger: createLogger('silent'),
      production: true,
      operationTimeLimitSeconds: 30,
    }),
  )
  .extend('url', { scope: 'file' }, async ({ gateway, hub }, { onCleanup }) => {
    const server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
    onCleanup(() => server[Symbol.asyncDispose]());
    return `${server.url.replace('http', 'ws')}/graphql`;
  });

const noting = (hub: EventHub, watched: Set<string>): EventHub => ({
  ...hub,
  async follow(following, after) {
    const iterator = await hub.follow(following, after);
    watched.add(following.objectId ?? '');
    return iterator;
  },
});

interface Progress {
  readonly status: string;
  readonly frozenTime: number;
  readonly advancingTo: number | null;
}

/** Collects what a live subscription hears of a clock until it stops. */
async function hear(url: string, key: string, id: string): Promise<Progress[]> {
  const client = createClient({
    url,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization: `Bearer ${key}` },
  });
  const query = `subscription($id: ID!) { testClockChanged(id: $id) { status frozenTime advancingTo } }`;
  const heard: Progress[] = [];
  for await (const { data } of client.iterate<{ testClockChanged: Progress }>({
    query,
    variables: { id },
  })) {
    if (data) heard.push(data.testClockChanged);
    if (data?.testClockChanged.status === 'ready') break;
  }
  await client.dispose();
  return heard;
}

const december = at('2026-12-31').getTime();
const advance = `mutation($id: ID!, $to: Timestamp!) {
  advanceTestClock(id: $id, frozenTime: $to) { testClock { status frozenTime advancingTo } }
}`;

test('a client that watches a clock sees it set out, go forward and arrive', async ({
  graphql,
  session,
  tenant,
  url,
  watched,
}) => {
  const { clockId, id } = await aTimedSubscription(session, { paid: true });
  const hearing = hear(url, tenant.key, clockId);
  await expect.poll(() => watched, { interval: 5 }).toContain(clockId);
  const { data } = await graphql(advance, { id: clockId, to: december });
  const arrived = { status: 'ready', frozenTime: december, advancingTo: null };
  expect(data.advanceTestClock.testClock).toEqual(arrived);
  expect(await storyOf(session, id)).toHaveLength(12);

  const heard = await hearing;
  expect(heard.at(-1)).toEqual(arrived);
  const times = heard.map(({ frozenTime }) => frozenTime);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  for (const { status, advancingTo } of heard.slice(0, -1)) {
    expect({ status, advancingTo }).toEqual({ status: 'advancing', advancingTo: december });
  }
});

test('the feed tells of each instant at which the clock has been', async ({ graphql, session }) => {
  const { clockId } = await aTimedSubscription(session, { paid: true });
  await graphql(advance, { id: clockId, to: at('2026-04-15').getTime() });
  const told = (await eventsOf(session, clockId)).map(({ data }) => [
    data.status,
    new Date(data.frozenTime as number).toISOString().slice(0, 10),
  ]);
  expect(told).toEqual([
    ['ready', '2026-01-31'],
    ['advancing', '2026-01-31'],
    ['advancing', '2026-02-28'],
    ['advancing', '2026-03-31'],
    ['ready', '2026-04-15'],
  ]);
});

test('an advance that takes too long answers that it is on its way, and is carried on', async ({
  database,
  graphql,
  session,
  tenant,
  url,
  watched,
}) => {
  const { clockId, id } = await aTimedSubscription(session, { paid: true });
  const input = { id: clockId, frozenTime: new Date(december) };
  const left = await advanceTestClock(fresh(session), input, AbortSignal.abort());
  expect(left).toMatchObject({ status: 'advancing', frozenTime: at('2026-02-28') });
  expect(await storyOf(session, id)).toHaveLength(2);

  const hearing = hear(url, tenant.key, clockId);
  await expect.poll(() => watched, { interval: 5 }).toContain(clockId);
  await carryOnTestClocks(database.orm.em, new Date(), 'advance-test-clocks');
  expect((await hearing).at(-1)).toEqual({
    status: 'ready',
    frozenTime: december,
    advancingTo: null,
  });
  expect(await storyOf(session, id)).toHaveLength(12);
  const { data } = await graphql('query($id: ID!) { testClock(id: $id) { status } }', {
    id: clockId,
  });
  expect(data.testClock).toEqual({ status: 'ready' });
});

test('a clock on its way can be sent further, and not to before where it is going', async ({
  graphql,
  session,
}) => {
  const { clockId } = await aTimedSubscription(session, { paid: true });
  const set = (to: string, signal?: AbortSignal) =>
    advanceTestClock(fresh(session), { id: clockId, frozenTime: at(to) }, signal);
  await set('2026-12-31', AbortSignal.abort());
  const { errors } = await graphql(advance, { id: clockId, to: at('2026-06-30').getTime() });
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
  expect(await set('2027-01-31')).toMatchObject({ status: 'ready', frozenTime: at('2027-01-31') });
});

test('two who advance a clock at once take its steps together, and each is taken once', async ({
  session,
}) => {
  const { clockId, id } = await aTimedSubscription(session, { paid: true });
  const to = { id: clockId, frozenTime: new Date(december) };
  const clocks = await Promise.all([1, 2, 3].map(() => advanceTestClock(fresh(session), to)));
  for (const clock of clocks)
    expect(clock).toMatchObject({ status: 'ready', frozenTime: to.frozenTime });
  expect(await storyOf(session, id)).toHaveLength(12);
});
