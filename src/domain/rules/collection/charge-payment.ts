import { Customer } from '#domain/customers/customer.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import { Payment } from '#domain/payments/payment.ts';
import { afresh, refuseTransaction } from '#domain/rules/locks/fresh-session.ts';
import type { ChargeName } from '#domain/rules/processing/charge-types.ts';
import { processorOf } from '#domain/rules/processing/processor-of.ts';
import { nowOf } from '#domain/rules/reads/read-customer.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import type { BegunPayment } from './begin-payment.ts';
import { isCutShort } from './cut-short.ts';
import { executeRefund } from './execute-refund.ts';
import { patienceMilliseconds } from './open-payment.ts';
import { type HeardOutcome, isOpen, isStale, settlePayment } from './settle-payment.ts';

/**
 * The third and fourth step: charges the payment through the processor and records the outcome. A payment that was
 * begun before is looked up first, and charged only if the processor does not know it. An open outcome is looked up
 * again later. A backup payment method follows when it is its turn. A charge for a period that its subscription has
 * ended in is canceled; if that is too late, the money is refunded.
 */
export async function chargePayment(session: Session, begun: BegunPayment): Promise<void> {
  refuseTransaction(session);
  let next: BegunPayment | undefined = begun;
  while (next) {
    const outcome = await ask(afresh(session), next);
    if (!outcome) return;
    const following = await settlePayment(afresh(session), next.paymentId, outcome);
    if (following?.refundId) await executeRefund(session, following.refundId);
    next = following?.backup;
  }
}

/**
 * Asks the processor immediately for the final status of a customer's due payments. A failure is reported, and the
 * payment stays due.
 */
export async function settleDuePaymentsOf(session: Session, customerId: string): Promise<void> {
  const present = afresh(session);
  const now = await nowOf(present, await present.em.findOneOrFail(Customer, customerId));
  const due = { customerId, checkDueAt: { $lte: now } };
  for (const { id } of await present.em.find(Payment, due, { orderBy: { chargeDate: 'asc' } })) {
    await chargePayment(session, { paymentId: id, resumed: true }).catch((error) =>
      report(session, id, error),
    );
  }
}

const unknown: HeardOutcome = {
  status: 'processing',
  failureCode: null,
  failureMessage: null,
  isUnknown: true,
};

const timedOut: HeardOutcome = {
  status: 'failed',
  failureCode: 'payment_timeout',
  failureMessage: 'The payment was not confirmed within 6 hours',
};

const canceled: HeardOutcome = { ...unknown, status: 'canceled' };

/**
 * Whether a payment is obsolete: it is for a change, or for the rest of a period, of a subscription that has ended.
 */
async function isAbandoned({ em }: Session, { invoice, subscriptionId }: Payment) {
  if (!subscriptionId) return false;
  const subscription = await em.findOneOrFail(Subscription, subscriptionId);
  return subscription.isTerminal && isCutShort(await invoice.loadOrFail(), subscription);
}

/**
 * Asks the processor. A lookup that fails is an error: a charge that may have been executed never counts as failed.
 */
async function ask(
  session: Session,
  { paymentId, resumed }: BegunPayment,
): Promise<HeardOutcome | undefined> {
  const { em } = session;
  const payment = await em.findOneOrFail(Payment, paymentId);
  if (!payment.isPending) return undefined;
  const now = await nowOf(session, await em.findOneOrFail(Customer, payment.customerId));
  const present = { ...session, now };
  const processor = await processorOf(session);
  const { amount, currency } = payment;
  const name = nameOf(payment);
  if (await isAbandoned(session, payment)) {
    // Another process may be about to send a charge that the processor does not know yet.
    const waits = resumed && now.getTime() - payment.chargeDate.getTime() < patienceMilliseconds;
    return (await processor.cancel(present, name)) ?? (waits ? unknown : canceled);
  }
  const known = resumed ? await processor.lookup(present, name) : undefined;
  const method = await em.findOne(PaymentMethod, payment.paymentMethodId ?? '');
  if (resumed && isStale(payment, now) && isOpen(known)) {
    // A retry follows from here, so this charge must not take money later. A cancellation that fails is an error.
    const canceled = known && (await processor.cancel(present, name));
    return !canceled || canceled.status === 'canceled' ? timedOut : canceled;
  }
  if (known || !method) return known ?? unknown;
  try {
    return await processor.charge(present, {
      ...name,
      amount,
      currency,
      token: method.openToken(),
      paymentMethodId: method.id,
      paymentMethodType: method.type,
      offSession: true,
      description: payment.description ?? payment.id,
      onReference: async () => {},
    });
  } catch (error) {
    report(session, paymentId, error);
    // It is not known whether the money has moved: the processor knows by the key.
    const lookup = processor.lookup(present, name);
    return (await lookup.catch((error) => report(session, paymentId, error))) ?? unknown;
  }
}

/** The names under which the processor finds the charge of a payment. */
const nameOf = ({
  id,
  invoiceId,
  organizationId,
  idempotencyKey,
  chargeDate,
}: Payment): ChargeName => ({
  idempotencyKey,
  reference: null,
  customerReference: null,
  begunAt: chargeDate,
  metadata: { payment_id: id, invoice_id: invoiceId, organization_id: organizationId },
});
