import { ref } from '@mikro-orm/core';
import { discountLine } from '#domain/invoicing/billing/discount-lines.ts';
import { type Line, openInvoice } from '#domain/invoicing/billing/open-invoice.ts';
import { isPaid } from '#domain/invoicing/crediting/amount-paid.ts';
import { useCredit } from '#domain/invoicing/crediting/credit-balance.ts';
import { movablePrepaid, movePrepaid } from '#domain/invoicing/crediting/move-prepaid.ts';
import { taxedItems } from '#domain/invoicing/crediting/tax-rule.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { ChargedAdjustment } from '#domain/model/subscriptions/planned-item.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';
import type { AdjustmentPlan } from '#domain/subscriptions/adjusting/plan-adjustment.ts';
import { shareOf } from '#domain/subscriptions/adjusting/proration.ts';
import { plain } from '#domain/subscriptions/adjusting/resolve-items.ts';
import { postponeTransition } from '#domain/subscriptions/periods/postpone-transition.ts';
import { openPayment } from './open-payment.ts';

/** A stored charge, which is executed after the commit. */
export interface AdjustmentCharge {
  readonly runId: string;
  /** The payment that the processor is asked for; null when credit has paid all of it, or its invoice is sent. */
  readonly paymentId: string | null;
}

/**
 * Writes an adjustment's run, invoice and payment for a locked subscription. The subscription stays as it is, and in
 * its period, until that payment is settled.
 */
export async function chargeAdjustment(
  { session, customer, subscription }: LockedSubscription,
  plan: AdjustmentPlan,
): Promise<AdjustmentCharge> {
  const { em } = session;
  const { at, period, newItems, interval, keepsPhases, unpaid, basis } = plan;
  const run = em.create(BillingRun, {
    subscription,
    billingPeriod: period,
    status: 'started',
    scheduledFor: at,
    dueAt: null,
    attemptNumber: 1,
    purpose: 'adjustment',
    adjustment: {
      at: at.getTime(),
      items: newItems.map(plain),
      interval,
      ...(keepsPhases && { keepsPhases }),
      replacedInvoiceId: unpaid?.id ?? null,
      capacities: Object.fromEntries(plan.capacities),
      ...(basis && { basis }),
    },
    customerId: subscription.customerId,
    testClockId: subscription.testClockId ?? null,
  });
  await em.flush();
  const invoice = await openInvoice(
    session,
    customer,
    {
      status: 'open',
      subscription,
      period,
      billingRunId: run.id,
      purpose: 'adjustment',
    },
    linesOf(plan),
  );
  run.invoice = ref(invoice);
  if (unpaid) {
    const returned = await moveCredit(session, customer, unpaid, invoice);
    run.adjustment = { ...(run.adjustment as ChargedAdjustment), ...returned };
  }
  await useCredit(session, customer, invoice);
  await em.flush();
  await postponeTransition(session, subscription);
  if (subscription.sendsInvoices || (await isPaid(session, invoice))) {
    // Another process executes the run if this one stops.
    run.dueAt = at;
    return { runId: run.id, paymentId: null };
  }
  const method = plan.paymentMethod as PaymentMethod;
  const payment = await openPayment(session, invoice, method, { run, subscription });
  await em.flush();
  return { runId: run.id, paymentId: payment.id };
}

/**
 * Has the invoice of an adjustment use the credit that was applied to the invoice that it replaces. Prepaid credit that
 * it does not need returns to the customer with that invoice.
 */
async function moveCredit(session: Session, customer: Customer, unpaid: Invoice, invoice: Invoice) {
  const most = Math.min(invoice.total, await movablePrepaid(session, unpaid));
  const returnedPrepaid = await movePrepaid(session, unpaid, invoice, most);
  const returnedCredit = Math.max(0, unpaid.creditApplied - unpaid.prepaidApplied);
  customer.creditBalance += returnedCredit;
  unpaid.creditApplied -= returnedCredit;
  return { returnedCredit, returnedPrepaid };
}

/** The charge and its discount: together they are the amount that is due. */
function linesOf(plan: AdjustmentPlan): Line[] {
  const { charge, discount } = plan;
  const line = {
    description: descriptionOf(plan),
    quantity: 1,
    taxedAs: taxedItems(plan.newItems),
  };
  if (!discount) return [{ ...line, price: charge }];
  const { terms, amount } = discount;
  return [{ ...line, price: charge + amount }, discountLine(terms, amount)];
}

function descriptionOf({ at, period, startsPeriod }: AdjustmentPlan): string {
  const [from, to] = [period.startDate, period.endDate].map((date) =>
    date.toISOString().slice(0, 10),
  );
  const left = ((1 - shareOf(period, at)) * 100).toFixed(1);
  const what = startsPeriod ? 'Change of plan and billing period' : 'Change of plan';
  return `${what}, with ${left} % of ${from} to ${to} left`;
}
