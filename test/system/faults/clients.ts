import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Random } from '../../support/random.ts';
import { type Answer, aKey, type Caller } from './caller.ts';

/** The rows that the clients work on, made before the faults begin. */
export interface World {
  readonly seatsSubscriptionId: string;
  readonly resourceSlug: string;
  readonly capacity: number;
  readonly meteredSubscriptionId: string;
  readonly usageMeterSlug: string;
  readonly priceSlugs: readonly [cheap: string, dear: string];
}

/** The knowledge of the clients at the end, to be compared with the rows of the database. */
export interface Acknowledged {
  /** Usage events that were acknowledged, each amount by its transaction id. */
  readonly usage: Map<string, number>;
  /** Customers whose purchase was acknowledged, each with the number of payments that it takes. */
  readonly purchases: Map<string, number>;
  /** Customers of test clocks, each with the number of months that its clock has reached. */
  readonly months: Map<string, number>;
  /** How many answers of any kind there were, and how many repeats were answered by the kept answer. */
  answers: number;
  replays: number;
}

/** No knowledge yet. */
export const newKnowledge = (): Acknowledged => ({
  usage: new Map(),
  purchases: new Map(),
  months: new Map(),
  answers: 0,
  replays: 0,
});

export interface Client {
  readonly name: string;
  readonly caller: Caller;
  readonly random: Random;
  readonly world: World;
  readonly acknowledged: Acknowledged;
  readonly stop: AbortSignal;
}

/** Claims, releases and reserves seats until the faults end; whether it gets them does not matter. */
export async function fightForSeats({ caller, random, world, acknowledged, stop }: Client) {
  const { seatsSubscriptionId: subscriptionId, resourceSlug } = world;
  const name = () => `user-${random.whole(0, 11)}`;
  const seats = () =>
    random.next() < 0.5
      ? { resourceSlug, quantity: random.whole(1, 4) }
      : { resourceSlug, externalId: name() };
  while (!stop.aborted) {
    const kind = random.next();
    if (kind < 0.35) {
      await caller.once('POST', `/resource-claims/${subscriptionId}/claim`, seats(), aKey());
    } else if (kind < 0.6) {
      await caller.once('POST', `/resource-claims/${subscriptionId}/release`, seats());
    } else {
      const reservation = { subscriptionId, ...seats(), ttlSeconds: random.whole(1, 3) };
      const made = await caller.once('POST', '/reservations', reservation, aKey());
      if (made?.status === 200) {
        const { id, expiresAt } = made.body.reservation;
        // Most are confirmed when they are about to end, where a mistake would sell them twice.
        const rest = expiresAt - Date.now() - random.whole(-20, 40);
        if (random.next() < 0.7 && rest > 0) await sleep(Math.min(rest, 3_000));
        const verb = random.next() < 0.8 ? 'confirm' : 'release';
        await caller.once('POST', `/reservations/${id}/${verb}`, {}, aKey());
      }
    }
    acknowledged.answers += 1;
  }
}

/** Reports usage, single events and bulk calls in turns, each until it is acknowledged. */
export async function reportUsage(client: Client) {
  const { name, caller, random, world, acknowledged, stop } = client;
  const { meteredSubscriptionId: subscriptionId, usageMeterSlug } = world;
  for (let round = 0; !stop.aborted; round++) {
    const usageEvents = Array.from({ length: random.whole(1, 5) }, (_, place) => ({
      subscriptionId,
      usageMeterSlug,
      transactionId: `${name}-${round}-${place}`,
      amount: random.whole(1, 9),
    }));
    const [first] = usageEvents;
    const answer =
      usageEvents.length === 1
        ? await caller.final('POST', '/usage-events', { usageEvent: first }, aKey())
        : await caller.final('POST', '/usage-events/bulk', { usageEvents });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    for (const { transactionId, amount } of usageEvents) {
      acknowledged.usage.set(transactionId, amount);
    }
    acknowledged.answers += 1;
  }
}

/**
 * Creates customers who subscribe, pay and upgrade, each call repeated with its key until it is answered, and
 * sometimes once more: the answer must be the same.
 */
export async function buy({ name, caller, random, world, acknowledged, stop }: Client) {
  const [cheap, dear] = world.priceSlugs;
  const repeated = async (path: string, body: unknown): Promise<Answer> => {
    const key = aKey();
    const answer = await caller.final('POST', path, body, key);
    expect(answer.status, `POST ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
    if (random.next() < 0.3) {
      const again = await caller.final('POST', path, body, key);
      expect(again, `POST ${path} once more`).toEqual({ ...answer, replayed: true });
    }
    acknowledged.answers += 1;
    if (answer.replayed) acknowledged.replays += 1;
    return answer;
  };
  for (let round = 0; !stop.aborted; round++) {
    const externalId = `${name}-${round}`;
    const customer = { externalId, name: 'Ada', email: 'ada@example.com' };
    const created = await repeated('/customers', { customer });
    const customerId = created.body.data.customer.id;
    const paymentMethod = { customerId, type: 'card', token: 'sandbox_success' };
    await repeated('/payment-methods', { paymentMethod });
    const bought = await repeated('/subscriptions', { customerId, priceSlug: cheap });
    acknowledged.purchases.set(customerId, 1);
    if (random.next() < 0.5) {
      const adjustment = { timing: 'immediately', newSubscriptionItems: [{ priceSlug: dear }] };
      await repeated(`/subscriptions/${bought.body.subscription.id}/adjust`, { adjustment });
      acknowledged.purchases.set(customerId, 2);
    }
  }
}

const firstMonth = { year: 2026, month: 0 };
/** The first of a month, by its number from the first one, and a moment later. */
const monthAt = (number: number) => Date.UTC(firstMonth.year, firstMonth.month + number, 1, 0, 1);

/** Lets the clock of a subscribed customer reach month after month, each until it is acknowledged. */
export async function bill({ name, caller, world, acknowledged, stop }: Client) {
  const made = async (path: string, body: unknown) => {
    const answer = await caller.final('POST', path, body, aKey());
    expect(answer.status, `POST ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.body;
  };
  const frozenTime = monthAt(0);
  const { testClock } = await made('/test-clocks', { testClock: { name, frozenTime } });
  const customer = {
    externalId: `${name}-billed`,
    name: 'Grace',
    email: 'grace@example.com',
    testClockId: testClock.id,
  };
  const customerId = (await made('/customers', { customer })).data.customer.id;
  const paymentMethod = { customerId, type: 'card', token: 'sandbox_success' };
  await made('/payment-methods', { paymentMethod });
  await made('/subscriptions', { customerId, priceSlug: world.priceSlugs[0] });
  acknowledged.months.set(customerId, 0);
  for (let month = 1; !stop.aborted; month++) {
    const path = `/test-clocks/${testClock.id}/advance`;
    const answer = await caller.final('POST', path, { frozenTime: monthAt(month) });
    expect(answer.status, `POST ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
    acknowledged.months.set(customerId, month);
    acknowledged.answers += 1;
  }
}
