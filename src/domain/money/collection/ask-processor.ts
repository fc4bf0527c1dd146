import { report, type Session } from '#domain/kernel/session.ts';
import { Invoice, payableStatuses } from '#domain/model/invoicing/invoice.ts';
import { Payment, pendingPaymentStatuses } from '#domain/model/money/payment.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { terminalStatuses } from '#domain/model/subscriptions/subscription-statuses.ts';
import { expired, openActionPage, readActionPage } from '#domain/money/methods/action-page.ts';
import { nameOf, storeReference } from '#domain/money/methods/charge-name.ts';
import {
  type HeardOutcome,
  isOpen,
  isStale,
  patienceInWords,
  patienceMilliseconds,
} from '#domain/money/methods/payment-patience.ts';
import { isCutShort } from '#domain/money/outcomes/cut-short.ts';
import type { ChargeName } from '#domain/money/processing/port/charge-types.ts';
import type { PaymentProcessor } from '#domain/money/processing/port/payment-processor.ts';
import {
  ProcessorMisconfigured,
  ProcessorUnreachable,
} from '#domain/money/processing/port/processor-errors.ts';
import { processorOf } from '#domain/money/processing/processor-of.ts';
import { paymentsOfCharge } from '#domain/money/refunds/joint-charge.ts';
import { nowOf, nowOfClock } from '#domain/platform/reads/read-customer.ts';
import { statement } from '#engines/lockstep/statement.ts';
import type { BegunPayment } from './begin-payment.ts';

const unknown: HeardOutcome = {
  status: 'processing',
  failureCode: null,
  failureMessage: null,
  isUnknown: true,
};

const timedOut = (payment: Payment): HeardOutcome => ({
  status: 'failed',
  failureCode: 'payment_timeout',
  failureMessage: `The payment was not confirmed within ${patienceInWords(payment)}`,
  failureKind: payment.failureKind ?? null,
});

const canceled: HeardOutcome = { status: 'canceled', failureCode: null, failureMessage: null };

/**
 * Asks the processor for the state of a payment, and for the money if it does not know the payment yet. A lookup that
 * fails is an error: a charge that may have been executed never counts as failed.
 */
export async function askProcessor(
  session: Session,
  { paymentId, resumed, opened }: BegunPayment,
): Promise<HeardOutcome | undefined> {
  const { em } = session;
  if (opened && (await isUnchanged(session, paymentId))) return chargeOpened(session, opened);
  const payment = await em.findOneOrFail(Payment, paymentId);
  if (!payment.isPending) return undefined;
  const { chargedWithId } = payment;
  if (chargedWithId) return askProcessor(session, { paymentId: chargedWithId, resumed: true });
  const now = await nowOf(session, await em.findOneOrFail(Customer, payment.customerId));
  const present = { ...session, now };
  const processor = await processorOf(session, payment);
  const name = await nameOf(session, payment);
  // Read right before the charge: the invoice may have been paid in another way.
  if (await isObsolete(session, payment)) {
    // Another process may be about to send a charge that the processor does not know yet.
    const waits = resumed && now.getTime() - payment.chargeDate.getTime() < patienceMilliseconds;
    const outcome = await giveUp(present, { processor, name, payment });
    return outcome ?? (waits ? unknown : canceled);
  }
  const isOver = resumed && isStale(payment, now);
  if (resumed && payment.actionReference) {
    const outcome = await readActionPage(present, processor, payment, isOver);
    if (outcome === expired) await processor.cancel(present, name);
    return outcome;
  }
  const known = resumed ? await processor.lookup(present, name) : undefined;
  if (isOver && isOpen(known)) {
    // A retry follows from here, so this charge must not take money later. A cancellation that fails is an error.
    const outcome = await processor.cancel(present, name);
    if (outcome && outcome.status !== 'canceled') return outcome;
    if (payment.actionUrl) return expired;
    return timedOut(payment);
  }
  const method = known ? null : await em.findOne(PaymentMethod, payment.paymentMethodId ?? '');
  const outcome = known ?? (await charge(present, { processor, payment, name }, method));
  refuseOtherSum(payment, outcome);
  return withPage(present, { processor, payment, outcome });
}

/** Charges a payment that this process has just written. */
async function chargeOpened(
  session: Session,
  { payment, method }: NonNullable<BegunPayment['opened']>,
): Promise<HeardOutcome> {
  const now = await nowOfClock(session, payment.testClockId ?? null);
  const present = { ...session, now };
  const processor = await processorOf(session, payment);
  const name = await nameOf(session, payment);
  const outcome = await charge(present, { processor, payment, name }, method);
  refuseOtherSum(payment, outcome);
  return withPage(present, { processor, payment, outcome });
}

/** Whether a payment is still to be charged: read right before, as the invoice may have been paid in another way. */
async function isUnchanged({ em, pricingModelId }: Session, paymentId: string): Promise<boolean> {
  const [row] = await statement<Record<'payment' | 'invoice' | 'subscription', string | null>>(
    em,
    'statuses of a payment',
    `select p.status as payment, i.status as invoice, s.status as subscription
     from payment p join invoice i on i.id = p.invoice_id left join subscription s on s.id = p.subscription_id
     where p.id = $1 and p.pricing_model_id = $2`,
    [paymentId, pricingModelId],
  );
  const isOf = (statuses: readonly string[], status: string | null | undefined) =>
    statuses.includes(status ?? '');
  return (
    isOf(pendingPaymentStatuses, row?.payment) &&
    isOf(payableStatuses, row?.invoice) &&
    !isOf(terminalStatuses, row?.subscription)
  );
}

interface Asked {
  readonly processor: PaymentProcessor;
  readonly payment: Payment;
  readonly name: ChargeName;
}

async function charge(
  session: Session,
  { processor, payment, name }: Asked,
  method: PaymentMethod | null,
): Promise<HeardOutcome> {
  if (!method) return unknown;
  try {
    return await processor.charge(session, {
      ...name,
      amount: payment.chargedAmount,
      currency: payment.currency,
      token: method.openToken(),
      paymentMethodId: method.id,
      paymentMethodType: method.type,
      offSession: payment.offSession,
      description: payment.description ?? payment.id,
      onReference: (reference) => storeReference(session, 'payment', payment.id, reference),
    });
  } catch (error) {
    report(session, payment.id, error);
    if (error instanceof ProcessorMisconfigured)
      return { ...unknown, failureKind: 'configuration' };
    const retryAfter = error instanceof ProcessorUnreachable ? error.retryAfter : null;
    // It is not known whether the money has moved: the processor knows.
    const { processorReference } = await session.em.findOneOrFail(Payment, payment.id, {
      refresh: true,
    });
    const stored = { ...name, reference: processorReference ?? null };
    const lookup = processor.lookup(session, stored);
    const found = await lookup.catch((error) => report(session, payment.id, error));
    return found ?? { ...unknown, retryAfter };
  }
}

/** An outcome of another sum than what was asked for is an error: it is not applied. */
export function refuseOtherSum(
  { id, chargedAmount: amount, currency }: Payment,
  outcome: HeardOutcome,
) {
  const found = outcome.amount ?? amount;
  const unit = outcome.currency ?? currency;
  if (found === amount && unit === currency) return;
  throw new Error(
    `The processor has ${found} ${unit} for ${id} instead of ${amount} ${currency}: compare both`,
  );
}

/** Opens the page for a payment that only the customer can confirm. */
async function withPage(
  session: Session,
  { processor, payment, outcome }: Omit<Asked, 'name'> & { readonly outcome: HeardOutcome },
): Promise<HeardOutcome> {
  if (outcome.status !== 'failed' || outcome.failureKind !== 'authentication') return outcome;
  return openActionPage(session, processor, payment);
}

/** Makes sure that a payment takes no money any more. Returns its outcome; nothing where that is unknown. */
export async function giveUp(session: Session, { processor, payment, name }: Asked) {
  if (payment.actionReference) {
    const outcome = await readActionPage(session, processor, payment, true);
    if (outcome !== expired) return outcome;
  }
  return processor.cancel(session, name);
}

/**
 * Whether a charge is obsolete: all its payments are. One of several that is obsolete is refunded after the charge.
 */
async function isObsolete(session: Session, payment: Payment) {
  for (const each of await paymentsOfCharge(session, payment)) {
    if (!(await isPartObsolete(session, each))) return false;
  }
  return true;
}

/**
 * Whether a payment is obsolete: its invoice is not to be paid any more, or its subscription has ended. The latter
 * counts for the payment of a change and of the rest of a period.
 */
async function isPartObsolete({ em }: Session, { invoiceId, subscriptionId }: Payment) {
  const invoice = await em.findOneOrFail(Invoice, invoiceId);
  if (!invoice.isPayable) return true;
  if (!subscriptionId) return false;
  const subscription = await em.findOneOrFail(Subscription, subscriptionId);
  return subscription.isTerminal && isCutShort(invoice, subscription);
}
