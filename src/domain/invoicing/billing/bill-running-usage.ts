import { useCredit } from '#domain/invoicing/crediting/credit-balance.ts';
import { noteSetOff } from '#domain/invoicing/crediting/note-usage.ts';
import type { Session } from '#domain/kernel/session.ts';
import { recordOwedOfRunning } from '#domain/metering/credits/record-owed-of-running.ts';
import { discountOf } from '#domain/model/catalog/discount-terms.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { billUsage } from './bill-usage.ts';
import { discountLine, returnedDiscounts } from './discount-lines.ts';
import { openInvoice, sumOf } from './open-invoice.ts';
import { unbilledUsage } from './unbilled-usage.ts';
import { areCharged, dueOf, usageLines } from './usage-lines.ts';

/**
 * Bills the usage of the running period of a locked subscription so far, if it amounts to at least `least` minor units.
 * The end of the period bills the difference to its cost then. A percentage of the period's discount reduces it; an
 * amount reduces the invoice of the period only.
 */
export async function billRunningUsage(
  session: Session,
  { subscription, customer, period }: Billed,
  least: number,
): Promise<Invoice | null> {
  await recordOwedOfRunning(session, subscription, period);
  const owed = (await unbilledUsage(session, subscription)).flatMap(({ rate, parts }) => {
    const own = parts.filter(({ periodId }) => periodId === period.id);
    return own.length > 0 ? [{ rate, parts: own }] : [];
  });
  const terms = period.discount?.amountType === 'percent' ? period.discount : null;
  const on = (base: number) => (terms ? discountOf(terms, base, subscription.currency) : 0);
  const usage = await usageLines(session, subscription, 0, on, owed);
  if (!areCharged(usage) || sumOf(usage) < least) return null;
  const base = dueOf(usage);
  const off = on(base);
  const heading = { purpose: 'threshold', status: 'open', subscription, period } as const;
  const invoice = await openInvoice(session, customer, heading, [
    ...usage,
    ...returnedDiscounts(usage),
    ...(terms && off > 0 ? [discountLine(terms, off, base)] : []),
  ]);
  await billUsage(session, subscription, invoice, usage, { isRunning: true });
  await noteSetOff(session, customer, invoice, usage);
  await useCredit(session, customer, invoice);
  return invoice;
}

interface Billed {
  readonly subscription: Subscription;
  readonly customer: Customer;
  readonly period: BillingPeriod;
}
