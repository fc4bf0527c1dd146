import {
  markInvoiceUncollectible,
  voidInvoice,
} from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { replaceUsageEvent } from '#domain/recording/commands/usage-events/replace-usage-event.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { aPaymentMethod, fresh } from './factories.ts';
import { advance } from './timeline.ts';
import { aMeteredSubscription } from './usage.ts';

type Options = Parameters<typeof aMeteredSubscription>[1];

let count = 0;

/** A monthly plan of 2,000 from 2026-01-01 with a meter at 100 for each unit, and the actions on it. */
export async function aBilled(session: Session, options: Options = {}) {
  const rate = { unitPrice: 100, usageEventsPerUnit: 1 };
  const user = await aMeteredSubscription(session, {
    from: '2026-01-01',
    price: 2_000,
    ...rate,
    ...options,
  });
  const { id, customerId, clockId } = user;
  const invoices = () =>
    fresh(session).em.find(Invoice, { subscription: id }, { orderBy: { invoiceNumber: 'asc' } });
  const latest = async () => (await invoices()).at(-1) as Invoice;
  return {
    ...user,
    invoices,
    /** The totals of the invoices, the oldest first. */
    totals: async () => (await invoices()).map(({ total }) => total),
    /** The totals above 0, with their status. */
    bills: async () =>
      (await invoices()).filter(({ total }) => total > 0).map((i) => `${i.total} ${i.status}`),
    credit: async () => (await fresh(session).em.findOneOrFail(Customer, customerId)).creditBalance,
    to: (date: string) => advance(session, clockId, date),
    pays: (token: string) => aPaymentMethod(session, customerId, { token, default: true }),
    declines: () =>
      aPaymentMethod(session, customerId, {
        token: 'sandbox_decline_insufficient_funds',
        default: true,
      }),
    cancel: () =>
      cancelSubscription(fresh(session), { id, cancellation: { timing: 'immediately' } }),
    replace: (eventId: string | undefined, amount: number | string, more: object = {}) =>
      replaceUsageEvent(fresh(session), {
        id: eventId ?? '',
        usageEvent: { amount: String(amount), transactionId: `replacement-${++count}`, ...more },
        reason: 'A mistake',
      }),
    /** Refunds the payment of the latest invoice, or a part of it. */
    async refund(partialAmount?: number) {
      const { id: invoice } = await latest();
      const payment = await fresh(session).em.findOneOrFail(Payment, {
        invoice,
        status: 'succeeded',
      });
      return refundPayment(fresh(session), { id: payment.id, partialAmount });
    },
    void: async () => voidInvoice(fresh(session), { id: (await latest()).id }),
    writeOffInvoice: async () =>
      markInvoiceUncollectible(fresh(session), { id: (await latest()).id }),
  };
}

export type Billed = Awaited<ReturnType<typeof aBilled>>;
