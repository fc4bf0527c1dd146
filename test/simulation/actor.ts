import { expect } from 'vitest';
import type { Random } from '../faults/random.ts';
import type { Final, GraphClient } from './client.ts';
import { Model, type Plan, seats, unit } from './model.ts';

/** The catalog that the actors use. */
export interface Catalog {
  readonly plans: readonly [Plan, Plan];
  readonly resourceSlug: string;
  readonly usageMeterSlug: string;
}

export interface Actor {
  readonly name: string;
  readonly random: Random;
  readonly ask: GraphClient;
  readonly catalog: Catalog;
  readonly stop: AbortSignal;
  /** Reports each compared answer. */
  readonly onAnswer: () => void;
}

interface Life extends Actor {
  readonly model: Model;
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly clockId: string;
}

const day = 86_400_000;
const longestLifeSteps = 25;

/**
 * Lives as one customer after the other on a test clock, and compares each answer with the model. No other caller
 * touches its customers, so the model knows every answer, whatever fails meanwhile. Returns the number of lives.
 */
export async function live(actor: Actor): Promise<number> {
  for (let round = 0; ; round++) {
    const life = await begin(actor, round);
    for (let step = 0; step < longestLifeSteps && !actor.stop.aborted; step++) {
      const act = actor.random.one(acts);
      await act(life);
      await compare(life);
    }
    if (actor.stop.aborted) return round + 1;
  }
}

async function begin(actor: Actor, round: number): Promise<Life> {
  const { ask, random, catalog, name } = actor;
  const frozenTime = Date.UTC(2026, 0, random.whole(1, 31), random.whole(0, 23));
  const clock = done(
    await ask(
      'mutation($testClock: CreateTestClockInput!) { createTestClock(testClock: $testClock) { id } }',
      { testClock: { name, frozenTime } },
    ),
  );
  const clockId = clock.createTestClock.id;
  const customer = {
    name,
    externalId: `${name}-${round}`,
    email: `${name}@example.com`,
    testClockId: clockId,
  };
  const created = done(
    await ask(
      'mutation($customer: CreateCustomerInput!) { createCustomer(customer: $customer) { customer { id } } }',
      { customer },
    ),
  );
  const customerId = created.createCustomer.customer.id;
  done(
    await ask(
      'mutation($paymentMethod: CreatePaymentMethodInput!) { createPaymentMethod(paymentMethod: $paymentMethod) { id } }',
      { paymentMethod: { customerId, type: 'card', token: 'sandbox_success' } },
    ),
  );
  const plan = random.one(catalog.plans);
  const bought = done(
    await ask(
      `mutation($customerId: ID!, $priceSlug: String!) {
        createSubscription(customerId: $customerId, priceSlug: $priceSlug) { id } }`,
      { customerId, priceSlug: plan.slug },
    ),
  );
  const subscriptionId = bought.createSubscription.id;
  const model = new Model(new Date(frozenTime), plan);
  const life = { ...actor, model, subscriptionId, customerId, clockId };
  await advance(life, frozenTime + 60_000);
  return life;
}

/** What an actor may do next. Each changes the service and the model, and compares the answer. */
const acts: readonly ((life: Life) => Promise<unknown>)[] = [
  reportUsage,
  reportUsage,
  claim,
  claim,
  release,
  ({ model, random, ...life }) =>
    advance({ model, random, ...life }, model.now.getTime() + random.whole(1, 20) * day),
  switchPlan,
  pauseOrResume,
  refund,
];

async function advance({ ask, model, clockId }: Life, frozenTime: number) {
  const { advanceTestClock } = done(
    await ask(
      'mutation($id: ID!, $frozenTime: Timestamp!) { advanceTestClock(id: $id, frozenTime: $frozenTime) { frozenTime } }',
      { id: clockId, frozenTime },
    ),
  );
  expect(advanceTestClock.frozenTime).toBe(frozenTime);
  model.advance(new Date(frozenTime));
}

async function reportUsage({ ask, model, random, name, catalog, subscriptionId }: Life) {
  const usageEvents = Array.from({ length: random.whole(1, 4) }, () => ({
    subscriptionId,
    usageMeterSlug: catalog.usageMeterSlug,
    transactionId: `${name}-${crypto.randomUUID()}`,
    amount: String(random.whole(1, 9) * unit),
  }));
  done(
    await ask(
      `mutation($usageEvents: [UsageEventInput!]!) {
        recordUsageEvents(usageEvents: $usageEvents) { usageEvents { id } } }`,
      { usageEvents },
    ),
  );
  for (const { amount } of usageEvents) model.usage += Number(amount);
}

async function claim({ ask, model, random, catalog, subscriptionId }: Life) {
  const quantity = random.whole(1, 3);
  const answer = await ask(
    `mutation($subscriptionId: ID!, $resourceSlug: String!, $quantity: SafeInt) {
      claimResource(subscriptionId: $subscriptionId, resourceSlug: $resourceSlug, quantity: $quantity) {
        usage { capacity claimed } } }`,
    { subscriptionId, resourceSlug: catalog.resourceSlug, quantity },
  );
  if (model.status === 'paused') return expect(answer.refusal).toBe('INVALID_STATE');
  if (model.claimed + quantity > seats) return expect(answer.refusal).toBe('CAPACITY_EXCEEDED');
  model.claimed += quantity;
  const usage = { capacity: seats, claimed: model.claimed };
  return expect(done(answer).claimResource.usage).toEqual(usage);
}

async function release({ ask, model, random, catalog, subscriptionId }: Life) {
  if (model.claimed === 0) return;
  const quantity = random.whole(1, model.claimed);
  const answer = await ask(
    `mutation($subscriptionId: ID!, $resourceSlug: String!, $quantity: SafeInt) {
      releaseResource(subscriptionId: $subscriptionId, resourceSlug: $resourceSlug, quantity: $quantity) {
        usage { claimed } } }`,
    { subscriptionId, resourceSlug: catalog.resourceSlug, quantity },
  );
  model.claimed -= quantity;
  expect(done(answer).releaseResource.usage.claimed).toBe(model.claimed);
}

async function switchPlan({ ask, model, catalog, subscriptionId }: Life) {
  const next = catalog.plans.find(({ slug }) => slug !== model.plan.slug) ?? model.plan;
  const answer = await ask(
    `mutation($id: ID!, $adjustment: AdjustSubscriptionInput!) {
      adjustSubscription(id: $id, adjustment: $adjustment) { resolvedTiming } }`,
    {
      id: subscriptionId,
      adjustment: {
        timing: 'at_end_of_current_billing_period',
        newSubscriptionItems: [{ priceSlug: next.slug }],
      },
    },
  );
  if (model.status === 'paused' || model.planned) {
    return expect(answer.refusal).toBe('INVALID_STATE');
  }
  done(answer);
  model.planned = next;
}

async function pauseOrResume(life: Life) {
  const { ask, model, subscriptionId: id } = life;
  if (model.status === 'paused') {
    done(await ask('mutation($id: ID!) { resumeSubscription(id: $id) { status } }', { id }));
    model.resume();
    // A new period is charged by a run, which the clock executes.
    return advance(life, model.now.getTime() + 60_000);
  }
  const answer = await ask(
    'mutation($id: ID!) { pauseSubscription(id: $id, pause: { timing: immediately }) { status } }',
    { id },
  );
  if (model.planned) return expect(answer.refusal).toBe('INVALID_STATE');
  expect(done(answer).pauseSubscription.status).toBe('paused');
  model.pause();
}

async function refund({ ask, model, random, subscriptionId }: Life) {
  const { payments } = done(
    await ask(
      `query($id: ID!) { payments(first: 100, where: { subscription: { in: [$id] } }) {
        nodes { id amount refundedAmount } } }`,
      { id: subscriptionId },
    ),
  );
  const open = payments.nodes.filter(
    ({ amount, refundedAmount }: { amount: number; refundedAmount: number }) =>
      amount > refundedAmount,
  );
  if (open.length === 0) return;
  const { id, amount, refundedAmount } = random.one(open) as {
    id: string;
    amount: number;
    refundedAmount: number;
  };
  const partialAmount = random.whole(1, amount - refundedAmount);
  const { refundPayment } = done(
    await ask(
      `mutation($id: ID!, $partialAmount: SafeInt) {
        refundPayment(id: $id, partialAmount: $partialAmount) { refundedAmount } }`,
      { id, partialAmount },
    ),
  );
  model.refunded += partialAmount;
  expect(refundPayment.refundedAmount).toBe(refundedAmount + partialAmount);
}

interface Row {
  readonly total: number;
  readonly status: string;
  readonly amount: number;
  readonly refundedAmount: number;
}

/** Reads all that the model knows, and compares it. */
async function compare({ ask, model, subscriptionId, onAnswer }: Life) {
  const { subscription, invoices, payments } = done(
    await ask(
      `query($id: ID!) {
        subscription(id: $id) { status currentBillingPeriodStart currentBillingPeriodEnd usageMeterBalances { available } }
        invoices(first: 100, where: { subscription: { in: [$id] } }) { nodes { total status } }
        payments(first: 100, where: { subscription: { in: [$id] } }) { nodes { amount status refundedAmount } }
      }`,
      { id: subscriptionId },
    ),
  );
  const sum = (rows: readonly Row[], of: 'amount' | 'refundedAmount') =>
    rows.reduce((total, row) => total + row[of], 0);
  const [balance] = subscription.usageMeterBalances;
  expect({
    status: subscription.status,
    periodStart: subscription.currentBillingPeriodStart,
    periodEnd: subscription.currentBillingPeriodEnd,
    available: Number(balance?.available ?? 0),
    invoices: invoices.nodes.map(({ total }: Row) => total).toSorted(ascending),
    paid: sum(payments.nodes, 'amount'),
    refunded: sum(payments.nodes, 'refundedAmount'),
  }).toEqual({
    status: model.status,
    periodStart: model.hasPeriod ? model.periodStart.getTime() : null,
    periodEnd: model.hasPeriod ? model.periodEnd.getTime() : null,
    available: model.available,
    invoices: model.invoices.toSorted(ascending),
    paid: model.paid,
    refunded: model.refunded,
  });
  onAnswer();
}

const ascending = (one: number, other: number) => one - other;

function done({ data, refusal }: Final) {
  expect(refusal).toBeUndefined();
  return data;
}
