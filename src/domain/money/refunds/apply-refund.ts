import { followBoughtCredit } from '#domain/invoicing/crediting/follow-bought-credit.ts';
import { refundFor } from '#domain/invoicing/crediting/refund-invoices.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import { countedRefundStatuses, Refund } from '#domain/model/money/refund.ts';
import type { RefundState } from '#domain/money/processing/port/charge-types.ts';
import { processorOf } from '#domain/money/processing/processor-of.ts';
import { atCustomersPresent } from '#domain/platform/locks/customers-present.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { settleRefund } from './execute-refund.ts';
import { paymentByReferences } from './find-payment.ts';
import { divide } from './joint-charge.ts';
import { lockCharge } from './lock-payment.ts';
import type { Applied, NoticedObject } from './notice.ts';
import { openRefund, refundable } from './open-refund.ts';

/**
 * Reads a refund at the processor and applies its state. A refund that someone made there is recorded as one of its own:
 * for a charge of several payments as one for each of them that it reduces.
 */
export async function applyRefund(
  session: Session,
  { reference, ...name }: NoticedObject,
): Promise<Applied> {
  const present = afresh(session);
  const known = await present.em.find(Refund, { processorReference: reference });
  const processor = await processorOf(present, name);
  const [first] = known;
  const atPresent = first ? await atCustomersPresent(present, first.customerId) : present;
  const state = await processor.readRefund(atPresent, reference);
  if (!state) return 'ignored';
  const ids = first ? known.map(({ id }) => id) : await idsOf(session, state);
  if (ids.length === 0) return 'unknown';
  for (const id of ids) await settleRefund(afresh(session), id, state);
  return 'applied';
}

/** Our refund that the processor names, or new records of a refund that was made there. */
async function idsOf(session: Session, state: RefundState): Promise<string[]> {
  const { em } = afresh(session);
  const own = state.refundId && (await em.findOne(Refund, state.refundId));
  if (own) return [own.id];
  const payment = await paymentByReferences(em, state);
  if (!payment) return [];
  return command(afresh(session), (session) => recordRefunds(session, payment, state));
}

async function recordRefunds(session: Session, { id }: Payment, state: RefundState) {
  const { session: atLock, customer, parts } = await lockCharge(session, id);
  const { em } = atLock;
  const { amount, reference: processorReference } = state;
  const ids = parts.map(({ payment }) => payment.id);
  const known = await em.find(Refund, { payment: { $in: ids }, processorReference });
  if (known.length > 0) return known.map(({ id }) => id);
  const status = { $in: [...countedRefundStatuses] };
  const counted = await em.find(Refund, { payment: { $in: ids }, status });
  const left = parts.map(({ payment }) =>
    counted
      .filter(({ paymentId }) => paymentId === payment.id)
      .reduce((left, { amount }) => left - amount, payment.amount - payment.reversedAmount),
  );
  const isReceived = parts.every(({ payment }) =>
    ['succeeded', 'refunded'].includes(payment.status),
  );
  if (!isReceived || amount > left.reduce((sum, most) => sum + most, 0)) return [];
  const written: string[] = [];
  for (const [place, share] of divide(amount, left).entries()) {
    const part = parts[place];
    if (!part || share <= 0) continue;
    const locked = { customer, ...part };
    const earlier = counted.filter(({ paymentId }) => paymentId === part.payment.id);
    const refund =
      share <= (await refundable(atLock, locked))
        ? await openRefund(atLock, locked, share, { reason: 'refund' })
        : undocumented(atLock, part.payment, share, earlier);
    refund.origin = 'processor';
    refund.processorReference = processorReference;
    await em.flush();
    await followBoughtCredit(atLock, part.invoice);
    written.push(refund.id);
  }
  return written;
}

/** A refund that was made at the processor although the customer has the amount as a credit and has used it. */
function undocumented(session: Session, payment: Payment, amount: number, earlier: Refund[]) {
  const refunded = earlier.reduce((sum, refund) => sum + refund.amount, amount);
  payment.creditedAmount = Math.min(payment.creditedAmount, payment.amount - refunded);
  return refundFor(session, payment, { amount, creditNote: null, fromBalance: 0 });
}
