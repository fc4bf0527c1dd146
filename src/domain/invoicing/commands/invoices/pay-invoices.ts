import { z } from 'zod';
import { namedPaymentMethod } from '#domain/invoicing/billing/payment-method-for.ts';
import { amountDue } from '#domain/invoicing/crediting/amount-paid.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { chargePayment } from '#domain/money/collection/charge-payment.ts';
import { openJointPayment, type Share } from '#domain/money/collection/open-joint-payment.ts';
import { markPaid } from '#domain/money/outcomes/mark-paid.ts';
import { unfitAmount } from '#domain/money/processing/unfit-amount.ts';
import { paymentsOfCharge } from '#domain/money/refunds/joint-charge.ts';
import { firstStep } from '#domain/platform/idempotency/first-step.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { lockInvoices } from '#domain/platform/locks/lock-invoices.ts';
import { refuseWhileReplaced } from '#domain/subscriptions/adjusting/require-adjustable.ts';

const most = 100;

export const payInvoicesInput = z.object({
  ids: listInput(z.string(), most, 1),
  paymentMethodId: z.string().nullish(),
});

type Input = z.output<typeof payInvoicesInput>;

/** The invoices in the order of the request, and the payments of their charge. */
export interface PaidTogether {
  readonly invoices: readonly Invoice[];
  readonly payments: readonly Payment[];
}

/**
 * Charges the amounts due of open invoices of one customer now, with one charge of a payment method of the customer or
 * its default one. Each invoice has a payment of its part, and all of them have the same outcome. One of which nothing
 * is due is paid without a charge. Errors: NOT_FOUND; BAD_REQUEST for invoices that are not open, are being replaced or
 * are of several customers or currencies. BAD_REQUEST also for a part that could not be refunded, and without a payment
 * method.
 */
export async function payInvoices(session: Session, input: Input): Promise<PaidTogether> {
  const { done: paymentId, resumed } = await firstStep(afresh(session), (session) =>
    beginPayingInvoices(session, input),
  );
  if (paymentId) await chargePayment(session, { paymentId, resumed });
  const present = afresh(session);
  const found = await present.em.find(Invoice, { id: { $in: input.ids } });
  const byId = new Map(found.map((invoice) => [invoice.id, invoice]));
  const charged = paymentId ? await present.em.findOneOrFail(Payment, paymentId) : null;
  return {
    invoices: input.ids.flatMap((id) => byId.get(id) ?? []),
    payments: charged ? await paymentsOfCharge(present, charged) : [],
  };
}

/** The one transaction before the charge. Returns the payment that the processor is asked for, if any amount is due. */
export async function beginPayingInvoices(
  session: Session,
  { ids, paymentMethodId }: Input,
): Promise<string | null> {
  const owner = await ownerOf(session, ids);
  const locked = await lockInvoices(session, owner, { id: { $in: ids } });
  const { session: atLock, invoices, subscriptionOf, customer } = locked;
  const [oldest] = invoices;
  const shares: Share[] = [];
  for (const invoice of invoices) {
    const path = `ids.${ids.indexOf(invoice.id)}`;
    if (invoice.status !== 'open')
      throw invalid('INVALID_STATE', path, `${invoice.id} is ${invoice.status}, not open`);
    if (invoice.currency !== oldest?.currency) {
      const message = `is in ${invoice.currency}, and ${oldest?.id} in ${oldest?.currency}: one charge has one currency`;
      throw invalid('MISMATCH', path, message);
    }
    await refuseWhileReplaced(atLock, invoice);
    const subscription = subscriptionOf(invoice);
    const due = await amountDue(atLock, invoice);
    if (due > 0) shares.push({ invoice, subscription, due });
    else await markPaid(atLock, { invoice, run: null, subscription });
  }
  const [first, ...others] = shares;
  if (!first) return null;
  const method = await methodOf(atLock, customer, paymentMethodId);
  if (others.length > 0) refuseUnfit(shares, method, ids);
  return (await openJointPayment(atLock, [first, ...others], method)).id;
}

/** Refuses a charge with a part that the processor could not refund alone. Errors: BAD_REQUEST. */
function refuseUnfit(shares: readonly Share[], method: PaymentMethod, ids: readonly string[]) {
  for (const { invoice, due } of shares) {
    const unfit = unfitAmount(method, due, invoice.currency);
    if (!unfit) continue;
    const message = `${invoice.id} cannot be paid together with others, as its part could not be refunded: ${unfit}`;
    throw invalid('INVALID', `ids.${ids.indexOf(invoice.id)}`, message);
  }
}

/** The customer of the named invoices. Errors: NOT_FOUND; BAD_REQUEST. */
async function ownerOf({ em }: Session, ids: readonly string[]): Promise<string> {
  const found = await em.find(Invoice, { id: { $in: [...ids] } });
  const byId = new Map(found.map((invoice) => [invoice.id, invoice]));
  for (const [place, id] of ids.entries()) {
    const path = `ids.${place}`;
    if (ids.indexOf(id) < place) throw invalid('INVALID', path, `names ${id} a second time`);
    if (!byId.has(id)) throw invalid('NOT_FOUND', path, `Unknown invoice ${id}`);
    if (byId.get(id)?.customerId !== found[0]?.customerId)
      throw invalid('MISMATCH', path, 'must be of the same customer as the other invoices');
  }
  return found[0]?.customerId ?? '';
}

async function methodOf(
  session: Session,
  customer: Customer,
  id: string | null | undefined,
): Promise<PaymentMethod> {
  const named = await namedPaymentMethod(session, customer, 'paymentMethodId', id);
  const usual = { customer: customer.id, default: true, detachedAt: null };
  const method = named ?? (await session.em.findOne(PaymentMethod, usual));
  if (method) return method;
  const message = `is required: ${customer.externalId} has no default`;
  throw invalid('PAYMENT_METHOD_REQUIRED', 'paymentMethodId', message);
}
