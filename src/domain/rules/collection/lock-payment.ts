import { LockMode } from '@mikro-orm/core';
import { BillingRun } from '#domain/billing-runs/billing-run.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';
import { atPresent } from '#domain/rules/locks/at-instant.ts';
import { lockCustomer } from '#domain/rules/locks/lock-customer.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';

/** A locked payment with all that it may change. */
export type LockedPayment = Awaited<ReturnType<typeof lockPayment>>;

/** Locks a payment and all that it may change, in the one lock order. Errors: NOT_FOUND. */
export async function lockPayment(session: Session, id: string) {
  const { em } = session;
  const { customerId } = await em.findOneOrFail(Payment, id);
  const locked = await lockCustomer(session, { id: customerId });
  if (!locked) throw new DomainError('NOT_FOUND', `Payment ${id} not found`);
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const found = await em.findOneOrFail(Payment, id);
  const subscription = found.subscriptionId
    ? await em.findOneOrFail(Subscription, found.subscriptionId, lock)
    : null;
  const run = found.billingRunId
    ? await em.findOneOrFail(BillingRun, found.billingRunId, lock)
    : null;
  const invoice = await em.findOneOrFail(Invoice, found.invoiceId, lock);
  const payment = await em.findOneOrFail(Payment, id, lock);
  const present = await atPresent(locked.session);
  return { ...locked, session: present, subscription, run, invoice, payment };
}
