import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Actor, Life } from './actor.ts';
import { done } from './client.ts';
import { compare } from './compare.ts';
import { seats, unit } from './model.ts';

const minute = 60_000;
const day = 86_400_000;
/** An organization retries a declined charge after so many days, unless it sets others. */
const retryDays = 3;
const pending = ['processing', 'requires_confirmation', 'requires_action'];
const pauseMilliseconds = 100;
const lookupMilliseconds = 90_000;

/** The next act of an actor: it changes the service and the model, and compares the answer. */
export type Act = (life: Life) => Promise<unknown>;

/** The acts of an actor. Only a card at the connected processor is declined later. */
export const actsOf = ({ cards }: Actor): readonly Act[] => (cards ? [...acts, declineOnce] : acts);

const acts: readonly Act[] = [
  reportUsage,
  reportUsage,
  claim,
  claim,
  release,
  (life) => advance(life, life.model.now.getTime() + life.random.whole(1, 20) * day),
  switchPlan,
  pauseOrResume,
  refund,
];

/** Advances the clock, and further until the processor has decided about all payments. */
export async function advance(life: Life, frozenTime: number) {
  await move(life, frozenTime);
  if (!life.cards) return;
  while (await isUndecided(life)) {
    await sleep(pauseMilliseconds);
    // A charge without an answer is looked up after a minute of the clock, then after its age.
    await move(life, life.model.now.getTime() + lookupMilliseconds);
  }
}

async function move({ ask, model, clockId }: Life, frozenTime: number) {
  const { advanceTestClock } = done(
    await ask(
      'mutation($id: ID!, $frozenTime: Timestamp!) { advanceTestClock(id: $id, frozenTime: $frozenTime) { frozenTime } }',
      { id: clockId, frozenTime },
    ),
  );
  expect(advanceTestClock.frozenTime).toBe(frozenTime);
  model.advance(new Date(frozenTime));
}

async function isUndecided({ ask, subscriptionId }: Life): Promise<boolean> {
  const { payments } = done(
    await ask(
      `query($id: ID!) { payments(first: 100, where: { subscription: { in: [$id] } }) { nodes { status } } }`,
      { id: subscriptionId },
    ),
  );
  return payments.nodes.some(({ status }: { status: string }) => pending.includes(status));
}

/** The bank refuses the charge of the next period, and accepts the retry. */
async function declineOnce(life: Life) {
  const { model, cards, customerId } = life;
  if (!cards || !model.hasPeriod || model.status === 'paused') return;
  cards.behave(customerId, 'insufficientFunds');
  await advance(life, model.periodEnd.getTime() + minute);
  model.decline();
  await compare(life);
  cards.behave(customerId, 'visa');
  await advance(life, model.now.getTime() + retryDays * day + minute);
  model.recover();
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
        nodes { id status amount refundedAmount } } }`,
      { id: subscriptionId },
    ),
  );
  const open = payments.nodes.filter(
    ({
      status,
      amount,
      refundedAmount,
    }: {
      status: string;
      amount: number;
      refundedAmount: number;
    }) => status === 'succeeded' && amount > refundedAmount,
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
