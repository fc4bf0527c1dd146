import { expect } from 'vitest';
import type { Actor, Life } from './actor.ts';
import { advance } from './advance.ts';
import { challenge, declineOnce, dispute, exhaust } from './bank-acts.ts';
import { done } from './client.ts';
import { unit } from './model.ts';
import { claim, confirm, release, reserve } from './seat-acts.ts';

const day = 86_400_000;

/** The next act of an actor: it changes the service and the model, and compares the answer. */
export type Act = (life: Life) => Promise<unknown>;

/** The acts of an actor. Only the bank of a card at the connected processor has its own will. */
export function actsOf({ cards, atPresent }: Actor): readonly Act[] {
  if (atPresent) return acts;
  return cards
    ? [...acts, wait, wait, declineOnce, exhaust, challenge, dispute, dispute]
    : [...acts, wait];
}

const acts: readonly Act[] = [
  reportUsage,
  reportUsage,
  claim,
  claim,
  release,
  reserve,
  confirm,
  switchPlan,
  pauseOrResume,
  refund,
];

const wait: Act = (life) =>
  advance(life, life.model.now.getTime() + life.random.whole(1, 20) * day);

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
  if (model.status === 'paused') return expect(answer.refusal).toBe('INVALID_STATE');
  // It replaces the one that is planned.
  done(answer);
  model.planned = next;
}

async function pauseOrResume(life: Life) {
  const { ask, model, subscriptionId: id } = life;
  if (model.status === 'paused') {
    done(
      await ask('mutation($id: ID!) { resumeSubscription(id: $id) { subscription { status } } }', {
        id,
      }),
    );
    model.resume();
    // A new period is charged by a run, which the clock executes.
    return advance(life, model.now.getTime() + 60_000);
  }
  const answer = await ask(
    'mutation($id: ID!) { pauseSubscription(id: $id, pause: { timing: immediately }) { subscription { status } } }',
    { id },
  );
  if (model.planned) return expect(answer.refusal).toBe('INVALID_STATE');
  expect(done(answer).pauseSubscription.subscription.status).toBe('paused');
  model.pause();
}

interface Paid {
  readonly id: string;
  readonly invoiceId: string;
  readonly status: string;
  readonly amount: number;
  readonly refundedAmount: number;
}

async function refund({ ask, model, random, subscriptionId }: Life) {
  const { payments } = done(
    await ask(
      `query($id: ID!) { payments(first: 100, where: { subscription: { in: [$id] } }) {
        nodes { id invoiceId status amount refundedAmount } } }`,
      { id: subscriptionId },
    ),
  );
  // The processor refunds no disputed charge.
  const billOf = ({ invoiceId }: Paid) => model.bills.find(({ id }) => id === invoiceId);
  const open = (payments.nodes as Paid[]).filter((payment) => {
    const { status, amount, refundedAmount } = payment;
    return status === 'succeeded' && amount > refundedAmount && !billOf(payment)?.dispute;
  });
  if (open.length === 0) return;
  const paid = random.one(open);
  const bill = billOf(paid);
  const { id, amount, refundedAmount } = paid;
  const partialAmount = random.whole(1, amount - refundedAmount);
  const {
    refundPayment: { payment },
  } = done(
    await ask(
      `mutation($id: ID!, $partialAmount: SafeInt) {
        refundPayment(id: $id, partialAmount: $partialAmount) { payment { refundedAmount } } }`,
      { id, partialAmount },
    ),
  );
  if (bill) bill.refunded += partialAmount;
  expect(payment.refundedAmount).toBe(refundedAmount + partialAmount);
}
