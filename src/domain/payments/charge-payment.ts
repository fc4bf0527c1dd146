import { Customer } from '../customers/customer.ts';
import { nowOf } from '../customers/read-customer.ts';
import { PaymentMethod } from '../payment-methods/payment-method.ts';
import { openSession, type Session } from '../session.ts';
import type { BegunPayment } from './begin-payment.ts';
import { Payment } from './payment.ts';
import { type ChargeOutcome, processorOf } from './payment-processor.ts';
import { isStale, settlePayment } from './settle-payment.ts';

/**
 * The third and fourth step: asks the processor for the money and writes down its answer. What was asked
 * before, by whoever has not come back, is looked up first and charged only if the processor has never
 * heard of it. What is left open is looked up again later. When a backup is to be tried, it is, too.
 */
export async function chargePayment(session: Session, begun: BegunPayment): Promise<void> {
  let next: BegunPayment | undefined = begun;
  while (next) {
    const outcome = await ask(afresh(session), next);
    if (!outcome) return;
    next = await settlePayment(afresh(session), next.paymentId, outcome);
  }
}

/** Each step reads what is committed. */
export const afresh = ({ em, apiKeyId, ...scope }: Session): Session =>
  openSession(em, scope, apiKeyId);

const unknown: ChargeOutcome = { status: 'processing', failureCode: null, failureMessage: null };

/** A lookup that fails is an error: what the processor may have carried out is never taken for failed. */
async function ask(
  session: Session,
  { paymentId, resumed }: BegunPayment,
): Promise<ChargeOutcome | undefined> {
  const { em } = session;
  const payment = await em.findOneOrFail(Payment, paymentId);
  if (!payment.isPending) return undefined;
  const now = await nowOf(session, await em.findOneOrFail(Customer, payment.customerId));
  const present = { ...session, now };
  const processor = processorOf(session);
  const { idempotencyKey, amount, currency } = payment;
  const known = resumed ? await processor.lookup(present, idempotencyKey) : undefined;
  const method = await em.findOne(PaymentMethod, payment.paymentMethodId ?? '');
  // Nobody expects to be charged any more for what was begun so long ago.
  if (known || !method || (resumed && isStale(payment, now))) return known ?? unknown;
  try {
    const request = { idempotencyKey, amount, currency, paymentMethodId: method.id };
    return await processor.charge(present, { ...request, token: method.openToken() });
  } catch {
    // Whether the money has moved is not known: the processor knows it by the key.
    return (await processor.lookup(present, idempotencyKey).catch(() => undefined)) ?? unknown;
  }
}
