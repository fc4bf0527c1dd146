import { createInvoice } from '#domain/invoicing/commands/invoices/create-invoice.ts';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { finalizeInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import type { CreateSubscriptionInput } from '#domain/subscriptions/commands/subscriptions/create-subscription-input.ts';
import { aCustomer, aPaymentMethod, aSubscription, aTestClock } from './factories.ts';
import { at } from './instants.ts';

const dayMilliseconds = 86_400_000;

/** A customer on its own clock, which starts at 2026-01-01T00:00:00Z, and its state. */
export async function aTimeline(session: Session) {
  const start = new Date('2026-01-01T00:00:00Z');
  const clock = await aTestClock(session, start);
  const customer = await aCustomer(session, { testClockId: clock.id });
  const fresh = () => at(session, session.now);
  const oldestFirst = { orderBy: { createdAt: 'asc', id: 'asc' } } as const;
  return {
    customer,
    fresh,
    /** Moves the clock to a number of days after its start. */
    toDay: (days: number) =>
      advanceTestClock(fresh(), {
        id: clock.id,
        frozenTime: new Date(start.getTime() + days * dayMilliseconds),
      }),
    pays: (token: string, options: { default?: boolean } = {}) =>
      aPaymentMethod(fresh(), customer.id, { token, ...options }),
    subscribes: (input: Partial<CreateSubscriptionInput> & { unitPrice?: number } = {}) =>
      aSubscription(fresh(), { customerId: customer.id, ...input }),
    /** A separate invoice for an amount, paid with the default payment method. */
    async payByHand(price: number) {
      const { id } = await createInvoice(fresh(), {
        invoice: { customerId: customer.id },
        invoiceLineItems: [{ price, quantity: 1 }],
      });
      await finalizeInvoice(fresh(), { id });
      return payInvoice(fresh(), { id });
    },
    subscription: (id: string) => fresh().em.findOneOrFail(Subscription, id),
    subscriptions: () => fresh().em.find(Subscription, { customer: customer.id }, oldestFirst),
    invoices: () => fresh().em.find(Invoice, { customer: customer.id }, oldestFirst),
    payments: () =>
      fresh().em.find(
        Payment,
        { customerId: customer.id },
        { orderBy: { chargeDate: 'asc', createdAt: 'asc', position: 'asc' } },
      ),
    runs: () =>
      fresh().em.find(
        BillingRun,
        { customerId: customer.id },
        { orderBy: { scheduledFor: 'asc', attemptNumber: 'asc' } },
      ),
    async charges() {
      const { em } = fresh();
      const methods = await em.find(PaymentMethod, { customer: customer.id });
      const paymentMethodId = { $in: methods.map(({ id }) => id) };
      return em.find(SandboxCharge, { paymentMethodId }, { orderBy: { chargedAt: 'asc' } });
    },
    /** Moves the clock without executing due work, as if the process that executes it had been away. */
    async moveClockAlone(days: number) {
      const { em } = fresh();
      (await em.findOneOrFail(TestClock, clock.id)).frozenTime = new Date(
        start.getTime() + days * dayMilliseconds,
      );
      await em.flush();
      return fresh();
    },
    /** A number of days after the start of the clock. */
    day: (days: number) => new Date(start.getTime() + days * dayMilliseconds),
  };
}
