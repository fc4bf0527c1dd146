import type { Session } from '#domain/kernel/session.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { UpcomingInvoice } from '#domain/money/collection/rehearse-billing.ts';
import type { FollowingSession } from '#domain/platform/feed/follow.ts';
import { liveValue } from '#engines/live/live-value.ts';
import { upcomingInvoice } from './upcoming-invoice.ts';

/** A computation executes what billing does, so there is one a second at most. */
const pauseMilliseconds = 1_000;

/** The next invoice of a subscription now, and again each time that it differs. Errors: NOT_FOUND. */
export async function upcomingInvoiceChanges(
  session: FollowingSession,
  subscriptionId: string,
): Promise<AsyncIterableIterator<{ readonly upcoming: UpcomingInvoice | null }>> {
  const { customerId, testClockId } = await session.em.findOneOrFail(Subscription, subscriptionId);
  const changes = [
    await session.follow({ customerId, wakesOnly: true }),
    await session.follow({ types: ['organization.updated'], wakesOnly: true }),
  ];
  if (testClockId) changes.push(await session.follow({ objectId: testClockId, wakesOnly: true }));
  return liveValue(changes, pauseMilliseconds, () => read(session, subscriptionId));
}

async function read(session: Session, subscriptionId: string) {
  const upcoming = await upcomingInvoice(session, subscriptionId);
  const now = upcoming?.asOf ?? session.now;
  // Time alone changes it only at a boundary, which has events.
  return { value: { upcoming }, text: textOf(upcoming), now, until: null };
}

/** The parts of an invoice that a client sees; ids and numbers differ from one computation to the next. */
function textOf(upcoming: UpcomingInvoice | null): string {
  if (!upcoming) return 'null';
  const { invoice, lines } = upcoming;
  const { purpose, invoiceDate, dueDate, currency, subtotal, taxAmount, total } = invoice;
  const { creditApplied, prepaidApplied } = invoice;
  return JSON.stringify([
    [purpose, invoiceDate, dueDate, currency, subtotal, taxAmount, total],
    [creditApplied, prepaidApplied],
    [invoice.billingPeriodStartDate, invoice.billingPeriodEndDate],
    lines.map(({ type, description, quantity, price, amount, usageQuantity }) => [
      type,
      description,
      quantity,
      price,
      amount,
      usageQuantity,
    ]),
  ]);
}
