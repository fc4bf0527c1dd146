import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun, openRunStatuses } from '#domain/model/money/billing-run.ts';
import { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import { Payment, pendingPaymentStatuses } from '#domain/model/money/payment.ts';
import { Remittance } from '#domain/model/money/remittance.ts';
import type { Customer } from '#domain/model/platform/customer.ts';

/**
 * Refuses a customer with whom business is not finished: data that is needed to be paid must not disappear. Errors:
 * BAD_REQUEST.
 */
export async function requireErasable({ em }: Session, customer: Customer) {
  const { id } = customer;
  const refuse = (message: string) => invalid('INVALID_STATE', 'id', message);
  if (!customer.archived) throw refuse('is not archived: archive the customer first');
  if (customer.amountOwed > 0) {
    throw refuse('owes money: collect, void or write off its open invoices first');
  }
  if ((await em.count(Invoice, { customer: id, status: 'draft' })) > 0) {
    throw refuse('has draft invoices: finalize or void them first');
  }
  const pending = { customerId: id, status: { $in: [...pendingPaymentStatuses] } };
  const runs = { customerId: id, status: { $in: [...openRunStatuses] } };
  const checkouts = { customer: id, status: 'pending' } as const;
  const inProgress =
    (await em.count(Payment, pending)) +
    (await em.count(BillingRun, runs)) +
    (await em.count(CheckoutSession, checkouts));
  if (inProgress > 0) throw refuse('has payments in progress: wait until they have ended');
  if ((await em.count(Remittance, { customer: id, status: 'expected' })) > 0) {
    throw refuse('has expected payments: cancel them first');
  }
}
