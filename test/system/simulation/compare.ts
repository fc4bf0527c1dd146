import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Life } from './actor.ts';
import { done } from './client.ts';
import { type Bill, type DisputeStatus, statusOf } from './model.ts';

interface Row {
  readonly status: string;
  readonly amount: number;
  readonly refundedAmount: number;
}

interface Stated {
  readonly id: string;
  readonly total: number;
}

interface StatedDispute {
  readonly status: DisputeStatus;
  readonly amount: number;
  readonly withdrawnAmount: number;
  readonly payment: { readonly invoiceId: string; readonly disputed: boolean };
}

const received = ['succeeded', 'refunded'];

/** Reads all that the model knows, and compares it: the service with the model, and the processor with both. */
export async function compare(life: Life) {
  const { model, customerId, cards, onAnswer } = life;
  const { subscription, invoices, payments, disputes } = await readStill(life);
  for (const [place, { id, total }] of invoices.nodes.entries()) {
    const bill = model.bills[place];
    if (bill && bill.total === total) bill.id ??= id;
  }
  hear(model.bills, disputes.nodes);
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
    invoices: invoices.nodes.map(({ id, total, status }: Stated & Row) => ({ id, total, status })),
    paid: sum(payments.nodes, 'amount'),
    refunded: sum(payments.nodes, 'refundedAmount'),
  }).toEqual({
    status: model.status,
    periodStart: model.hasPeriod ? model.periodStart.getTime() : null,
    periodEnd: model.hasPeriod ? model.periodEnd.getTime() : null,
    available: model.available,
    invoices: model.bills.map((bill) => ({
      id: bill.id,
      total: bill.total,
      status: statusOf(bill),
    })),
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

const disputeFields = 'status amount withdrawnAmount payment { invoiceId disputed }';
const disputesField = `disputes(first: 100, where: { customer: { in: [$customerId] } }) { nodes { ${disputeFields} } }`;

/**
 * Reads all. The effects of a decision are read apart, so while one may arrive, all is read between two equal readings of
 * the disputes.
 */
async function readStill(life: Life) {
  const isHearing = life.model.bills.some(
    ({ dispute }) => dispute && dispute.heard !== dispute.status,
  );
  if (!isHearing) return read(life);
  for (let before = await readDisputes(life); ; ) {
    const all = await read(life);
    const after = await readDisputes(life);
    if (isDeepStrictEqual(before, after) && isDeepStrictEqual(after, all.disputes)) return all;
    before = after;
  }
}

const read = async ({ ask, subscriptionId, customerId }: Life) =>
  done(
    await ask(
      `query($id: ID!, $customerId: ID!) {
        subscription(id: $id) { status currentBillingPeriodStart currentBillingPeriodEnd usageMeterBalances { available } }
        invoices(first: 100, where: { subscription: { in: [$id] } }) { nodes { id total status } }
        payments(first: 100, where: { subscription: { in: [$id] } }) { nodes { amount status refundedAmount } }
        ${disputesField}
      }`,
      { id: subscriptionId, customerId },
    ),
  );

const readDisputes = async ({ ask, customerId }: Life) =>
  done(await ask(`query($customerId: ID!) { ${disputesField} }`, { customerId })).disputes;

/** Disputes arrive late: each has a state that the processor has or had, and none goes back. */
function hear(bills: readonly Bill[], disputes: readonly StatedDispute[]) {
  for (const { id, total, dispute } of bills) {
    if (!dispute) continue;
    const { status, heard } = dispute;
    const own = disputes.filter(({ payment }) => payment.invoiceId === id);
    const possible = heard === 'opened' || !heard ? [heard, 'opened', status] : [heard];
    const [stated] = own;
    expect(own.length).toBeLessThanOrEqual(1);
    expect(possible).toContain(stated?.status);
    dispute.heard = stated?.status;
    if (!stated) continue;
    expect(stated).toMatchObject({
      amount: total,
      withdrawnAmount: stated.status === 'won' ? 0 : total,
      payment: { disputed: stated.status === 'opened' },
    });
  }
  const known = bills.filter(({ dispute }) => dispute?.heard).length;
  expect(disputes.length).toBe(known);
}

const ascending = (one: number, other: number) => one - other;
