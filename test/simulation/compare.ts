import { expect } from 'vitest';
import type { Life } from './actor.ts';
import { done } from './client.ts';

interface Row {
  readonly total: number;
  readonly status: string;
  readonly amount: number;
  readonly refundedAmount: number;
}

const received = ['succeeded', 'refunded'];

/** Reads all that the model knows, and compares it: the service with the model, and the processor with both. */
export async function compare({ ask, model, subscriptionId, customerId, cards, onAnswer }: Life) {
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
    rows
      .filter(({ status }) => received.includes(status))
      .reduce((total, row) => total + row[of], 0);
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
  const booked = cards?.booksOf(customerId);
  if (booked) {
    expect({ ...booked, charges: booked.charges.toSorted(ascending) }).toEqual({
      charges: model.charges.toSorted(ascending),
      refunded: model.refunded,
    });
  }
  onAnswer();
}

const ascending = (one: number, other: number) => one - other;
