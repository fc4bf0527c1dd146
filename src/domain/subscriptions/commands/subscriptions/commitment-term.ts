import { committedBy, committedPart, countedFor } from '#domain/invoicing/billing/reckon-terms.ts';
import type { Session } from '#domain/kernel/session.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';

/** The running term of a commitment; minor units before discounts and tax. */
export interface CommitmentTerm {
  readonly start: Date;
  /** The end of its current period. */
  readonly end: Date;
  /** The number of its billing periods, and how many of them have begun. */
  readonly periods: number;
  readonly begun: number;
  /** The amount that the periods so far commit. */
  readonly committed: number;
  /** The usage so far, and the charges for the plan where they count. */
  readonly reached: number;
  /** The differences that invoices have charged. */
  readonly charged: number;
  /** The rest of the committed amount so far. */
  readonly missing: number;
}

/** The running term of the commitment of a subscription; null without one, and before its first period. */
export async function commitmentTerm(
  session: Session,
  subscription: Subscription,
): Promise<CommitmentTerm | null> {
  const { em } = session;
  const { term } = subscription.commitment ?? {};
  if (!term) return null;
  const of = { subscription: subscription.id, startDate: { $gte: new Date(term.start) } };
  const found = await em.find(BillingPeriod, of, { orderBy: { startDate: 'asc' } });
  const periods = found.filter(({ commitment }) => commitment?.term === term.start);
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first?.commitment || !last) return null;
  const lines = await em.find(InvoiceLineItem, { committedPeriodId: first.id });
  const { amount, counts } = first.commitment;
  const committed = committedBy(amount, periods.map(committedPart));
  const reached = await countedFor(session, subscription, periods, counts);
  return {
    start: first.startDate,
    end: last.endDate,
    periods: term.periods,
    begun: term.begun,
    committed,
    reached,
    charged: lines.reduce((sum, line) => sum + line.amount, 0),
    missing: Math.max(0, committed - reached),
  };
}
