import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Life } from './actor.ts';
import { advance } from './advance.ts';
import { done } from './client.ts';
import { compare } from './compare.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** An organization retries a declined charge after these pauses in days, unless it sets others. */
const retryPauses = [3, 5, 5] as const;
/** A page waits for its customer for so many days. */
const actionDays = 7;
const pauseMilliseconds = 200;
/** A notice that was left out is found by the next reconciliation. */
const patienceMilliseconds = 6_000;

/** Whether the next period will be charged. */
const isCharged = ({ model }: Life) => model.hasPeriod && model.status !== 'paused';

/** The bank refuses the charge of the next period, and accepts the retry. */
export async function declineOnce(life: Life) {
  const { model, cards, customerId } = life;
  if (!cards || !isCharged(life)) return;
  cards.behave(customerId, 'insufficientFunds');
  await advance(life, model.periodEnd.getTime() + minute);
  model.owe('declined');
  await compare(life);
  cards.behave(customerId, 'visa');
  await retry(life);
}

async function retry(life: Life) {
  await advance(life, life.model.now.getTime() + retryPauses[0] * day + minute);
  life.model.recover();
}

/**
 * The bank refuses the charge of the next period and each retry. Then the subscription ends and its invoice is written
 * off, or it stays unpaid until the customer pays with a card that has money, as the organization has set it.
 */
export async function exhaust(life: Life) {
  const { ask, model, cards, customerId, catalog } = life;
  if (!cards || !isCharged(life)) return;
  cards.behave(customerId, 'insufficientFunds');
  await advance(life, model.periodEnd.getTime() + minute);
  model.owe('declined');
  for (const pause of retryPauses) {
    await compare(life);
    await advance(life, model.now.getTime() + pause * day + minute);
  }
  if (catalog.endsUnpaid) return model.giveUp();
  model.status = 'unpaid';
  await compare(life);
  cards.behave(customerId, 'visa');
  done(
    await ask('mutation($id: ID!) { payInvoice(id: $id) { invoice { id } } }', {
      id: model.bills.at(-1)?.id,
    }),
  );
  await advance(life, model.now.getTime() + minute);
  model.recover();
}

/**
 * The bank wants the customer to confirm the charge of the next period. The customer pays on the page, also after a card
 * that is refused there, or never answers: then the charge fails, and is retried.
 */
export async function challenge(life: Life) {
  const { ask, model, cards, customerId, subscriptionId, random } = life;
  if (!cards || !isCharged(life)) return;
  cards.behave(customerId, 'authenticationAlways');
  await advance(life, model.periodEnd.getTime() + minute, { forCustomer: false });
  model.owe('challenged');
  await compare(life);
  cards.behave(customerId, 'visa');
  const { subscription } = done(
    await ask('query($id: ID!) { subscription(id: $id) { paymentActionUrl } }', {
      id: subscriptionId,
    }),
  );
  const url = String(subscription.paymentActionUrl);
  const answer = random.one(['pays', 'is refused and pays', 'is refused', 'never answers']);
  if (answer.startsWith('is refused')) expect(cards.pay(url, 'insufficientFunds')).toBe(false);
  if (answer.endsWith('pays')) {
    expect(cards.pay(url, 'visa')).toBe(true);
    await advance(life, model.now.getTime() + minute, { stepMilliseconds: hour });
    return model.recover();
  }
  await advance(life, model.now.getTime() + actionDays * day + minute);
  model.owe('declined');
  await compare(life);
  cards.behave(customerId, 'visa');
  return retry(life);
}

/** The bank objects to a charge that was not refunded, or decides about an earlier objection. */
export async function dispute({ ask, model, cards, random, customerId, subscriptionId }: Life) {
  if (!cards) return;
  const open = model.bills.find(({ dispute }) => dispute?.status === 'opened');
  if (open?.dispute && random.next() < 0.6) {
    const status = random.one(['won', 'lost'] as const);
    cards.decide(open.id ?? '', status);
    open.dispute.status = status;
    return;
  }
  const bill = random.one(
    model.bills.filter(({ owed, refunded, dispute }) => !owed && refunded === 0 && !dispute),
  );
  if (!bill?.id) return;
  const { payments } = done(
    await ask(
      `query($id: ID!) { payments(first: 100, where: { subscription: { in: [$id] } }) { nodes { id invoiceId status } } }`,
      { id: subscriptionId },
    ),
  );
  const paid = payments.nodes.find(
    ({ invoiceId, status }: { invoiceId: string; status: string }) =>
      invoiceId === bill.id && status === 'succeeded',
  );
  cards.object(customerId, bill.id, paid.id);
  bill.dispute = { status: 'opened' };
}

/** The acts of banks that take longest. */
export const rareActs = [dispute, challenge];

/** Waits until the service has heard of all decisions, by notices or by the reconciliation. */
export async function hearDecisions(life: Life) {
  const { model, clocks } = life;
  const isHeard = () =>
    model.bills.every(({ dispute }) => dispute === undefined || dispute.heard === dispute.status);
  await compare(life);
  for (let end = performance.now(); !isHeard(); ) {
    if (performance.now() >= end) {
      await clocks.reconcile();
      end = performance.now() + patienceMilliseconds;
    }
    await sleep(pauseMilliseconds);
    await compare(life);
  }
}
