import { LockMode } from '@mikro-orm/core';
import { BillingRun } from '#domain/billing-runs/billing-run.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import { Payment } from '#domain/payments/payment.ts';
import { atPresent } from '#domain/rules/locks/at-instant.ts';
import { lockClockAndCustomer } from '#domain/rules/locks/lock-customer.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';

/** A locked payment with all that it may change. */
export type LockedPayment = Awaited<ReturnType<typeof lockPayment>>;

interface Owner {
  readonly customerId: string;
  readonly customerClockId: string | null;
  readonly subscriptionId: string | null;
  readonly billingRunId: string | null;
  readonly invoiceId: string;
}

/** Locks a payment and all that it may change, in the one lock order. Errors: NOT_FOUND. */
export async function lockPayment(session: Session, id: string) {
  const { em } = session;
  // None of it ever changes.
  const [owner] = await statement<Owner>(
    em,
    'owner of a payment',
    `select p.customer_id as "customerId", c.test_clock_id as "customerClockId", p.subscription_id as "subscriptionId",
       p.billing_run_id as "billingRunId", p.invoice_id as "invoiceId"
     from payment p join customer c on c.id = p.customer_id where p.id = $1`,
    [id],
  );
  const known = owner && { id: owner.customerId, testClockId: owner.customerClockId };
  const locked = known && (await lockClockAndCustomer(session, known));
  if (!locked) throw new DomainError('NOT_FOUND', `Payment ${id} not found`);
  const { subscriptionId, billingRunId, invoiceId } = owner;
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const subscription = subscriptionId
    ? await em.findOneOrFail(Subscription, subscriptionId, lock)
    : null;
  const run = billingRunId ? await em.findOneOrFail(BillingRun, billingRunId, lock) : null;
  const invoice = await em.findOneOrFail(Invoice, invoiceId, lock);
  const payment = await em.findOneOrFail(Payment, id, lock);
  const present = await atPresent(locked.session);
  return { ...locked, session: present, subscription, run, invoice, payment };
}
