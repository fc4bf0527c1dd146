import { expect } from 'vitest';
import type { Running } from '../process.ts';
import { templateKey } from '../secrets.ts';

const clients = 6;
/** How many events each client has to have acknowledged before, and after, something is killed. */
const rounds = 25;

/**
 * Sends events while `interrupt` kills something and answers the service that continues. With `reader`, another client
 * reads its balance from that process after each of its events, and each answer must be exact.
 */
export async function expectExactlyOnce(
  first: Running,
  interrupt: () => Promise<Running>,
  headers: Record<string, string> = {},
  reader?: Running,
) {
  const done = 'prefer' in headers ? 202 : 200;
  const { externalId, event } = await aUser(first, 'ada');
  const other = reader && (await aUser(first, 'bob'));
  let service = first;
  const acknowledged = new Map<string, number>();
  let unanswered = 0;
  const halfway = Promise.withResolvers<void>();
  let resumed = false;

  /** Single events and bulk calls by turns; what is not acknowledged is sent again as it was. */
  async function client(name: number) {
    for (let round = 0, last = Number.POSITIVE_INFINITY; round < last; round++) {
      const events = Array.from({ length: round % 3 === 0 ? 1 : 5 }, (_, place) => ({
        ...event,
        transactionId: `${name}-${round}-${place}`,
        amount: 1 + ((name + round + place) % 7),
      }));
      const [path, body] =
        events.length === 1
          ? ['/usage-events', { usageEvent: events[0] }]
          : ['/usage-events/bulk', { usageEvents: events }];
      while (!(await isAcknowledged(path as string, body))) unanswered += 1;
      for (const { transactionId, amount } of events) acknowledged.set(transactionId, amount);
      if (acknowledged.size > clients * rounds) halfway.resolve();
      if (resumed && last === Number.POSITIVE_INFINITY) last = round + rounds / 5;
    }
  }
  async function isAcknowledged(path: string, body: unknown) {
    const answer = await send(service, path, body, headers).catch(() => undefined);
    if (answer) expect([done, 500, 503]).toContain(answer.status);
    // A short breath, so that who is down is not asked thousands of times.
    if (answer?.status !== done) await new Promise((resolve) => setTimeout(resolve, 10));
    return answer?.status === done;
  }

  /** One event at a time, so that the balance is known. */
  async function readAll(from: Running, { externalId, event }: User) {
    let sum = 0;
    for (let round = 0; !resumed || round < rounds; round++) {
      const usageEvent = { ...event, transactionId: `read-${round}`, amount: 1 + (round % 3) };
      while (!(await isAcknowledged('/usage-events', { usageEvent }))) unanswered += 1;
      sum += usageEvent.amount;
      acknowledged.set(usageEvent.transactionId, usageEvent.amount);
      const answer = await send(from, `/customers/${externalId}/usage-balances`).catch(
        () => undefined,
      );
      if (answer?.status !== 200) {
        if (answer) expect(answer.status).toBe(503);
        continue;
      }
      exact += 1;
      expect(answer.body.usageMeterBalances).toMatchObject([{ availableBalance: -sum }]);
    }
    read = sum;
  }
  let exact = 0;
  let read = 0;

  const sending = Array.from({ length: clients }, (_, name) => client(name));
  if (reader && other) sending.push(readAll(reader, other));
  await Promise.race([halfway.promise, Promise.all(sending)]);
  service = await interrupt();
  resumed = true;
  await Promise.all(sending);

  if (service !== first) expect(unanswered).toBeGreaterThan(0);
  const stored = await storedBy(service);
  expect(stored.size).toBe(acknowledged.size);
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(acknowledged));
  if (reader) expect(exact).toBeGreaterThan(rounds / 2);
  const sum = [...acknowledged.values()].reduce((sum, amount) => sum + amount, 0) - read;
  const balances = await send(service, `/customers/${externalId}/usage-balances`);
  expect(balances.body.usageMeterBalances).toMatchObject([{ availableBalance: -sum }]);
}

/** All stored events: their amounts by their transaction ids, each of which must come up once. */
async function storedBy(service: Running): Promise<Map<string, number>> {
  const stored = new Map<string, number>();
  for (let cursor = ''; ; ) {
    const { status, body } = await send(service, `/usage-events?limit=100${cursor}`);
    // Usage that was accepted is on its way, after the end of who moved it.
    if (status === 503) continue;
    for (const { transactionId, amount } of body.data) {
      expect(stored.has(transactionId)).toBe(false);
      stored.set(transactionId, amount);
    }
    expect(body.total).toBeGreaterThanOrEqual(stored.size);
    if (!body.hasMore) return stored;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
}

type User = Awaited<ReturnType<typeof aUser>>;

/** A customer with a subscription; all share a product and a meter. */
async function aUser(service: Running, externalId: string) {
  const customer = { externalId, email: `${externalId}@example.com`, name: externalId };
  const created = (await send(service, '/customers', { customer })).body;
  const { id: customerId } = created.data?.customer ?? created.customer;
  await send(service, '/products', {
    product: { name: 'Pro', slug: 'pro' },
    price: { type: 'subscription', unitPrice: 1_000, intervalUnit: 'month', slug: 'pro' },
  });
  const answer = await send(service, '/subscriptions', {
    customerId,
    priceSlug: 'pro',
    doNotCharge: true,
  });
  await send(service, '/usage-meters', { usageMeter: { name: 'API calls', slug: 'calls' } });
  return {
    externalId,
    event: { subscriptionId: answer.body.subscription.id, usageMeterSlug: 'calls' },
  };
}

async function send(
  { url }: Running,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${templateKey}`,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
