import { Customer } from '../customers/customer.ts';
import { nowOf } from '../customers/read-customer.ts';
import { PaymentMethod } from '../payment-methods/payment-method.ts';
import { openSession, type Session } from '../session.ts';
import type { BegunPayment } from './begin-payment.ts';
import { Payment } from './payment.ts';
import { type ChargeOutcome, processorOf } from './payment-processor.ts';
import { type HeardOutcome, isOpen, isStale, settlePayment } from './settle-payment.ts';

/**
 * The third and fourth step: asks the processor for the money and writes down its answer. What was asked
 * before, by whoever has not come back, is looked up first and charged only if the processor has never
 * heard of it. What is left open is looked up again later. When a backup is to be tried, it is, too.
 */
export async function chargePayment(session: Session, begun: BegunPayment): Promise<void> {
  refuseTransaction(session);
  let next: BegunPayment | undefined = begun;
  while (next) {
    const outcome = await ask(afresh(session), next);
    if (!outcome) return;
    next = await settlePayment(afresh(session), next.paymentId, outcome);
  }
}

/** A charge is not rolled back with the transaction that asks for it, so it is asked for by none. */
export function refuseTransaction({ em, dryRun }: Session) {
  if (em.isInTransaction() && !dryRun) {
    throw new Error('Money is moved between transactions: mark the mutation with inSteps');
  }
}

/** Each step reads what is committed. */
export const afresh = ({ em, apiKeyId, ...scope }: Session): Session =>
  openSession(em, scope, apiKeyId);

const unknown: HeardOutcome = {
  status: 'processing',
  failureCode: null,
  failureMessage: null,
  isUnknown: true,
};

const timedOut: ChargeOutcome = {
  status: 'failed',
  failureCode: 'payment_timeout',
  failureMessage: 'The payment was not confirmed within 6 hours',
};

/** A lookup that fails is an error: what the processor may have carried out is never taken for failed. */
async function ask(
  session: Session,
  { paymentId, resumed }: BegunPayment,
): Promise<HeardOutcome | undefined> {
  const { em } = session;
  const payment = await em.findOneOrFail(Payment, paymentId);
  if (!payment.isPending) return undefined;
  const now = await nowOf(session, await em.findOneOrFail(Customer, payment.customerId));
  const present = { ...session, now };
  const processor = processorOf(session);
  const { idempotencyKey, amount, currency } = payment;
  const known = resumed ? await processor.lookup(present, idempotencyKey) : undefined;
  const method = await em.findOne(PaymentMethod, payment.paymentMethodId ?? '');
  if (resumed && isStale(payment, now) && isOpen(known)) {
    // It is tried again from here on, so it must not take money later. A cancellation that fails is an error.
    const canceled = known && (await processor.cancel(present, idempotencyKey));
    return !canceled || canceled.status === 'canceled' ? timedOut : canceled;
  }
  if (known || !method) return known ?? unknown;
  try {
    const request = { idempotencyKey, amount, currency, paymentMethodId: method.id };
    return await processor.charge(present, { ...request, token: method.token });
  } catch {
    // Whether the money has moved is not known: the processor knows it by the key.
    return (await processor.lookup(present, idempotencyKey).catch(() => undefined)) ?? unknown;
  }
}
