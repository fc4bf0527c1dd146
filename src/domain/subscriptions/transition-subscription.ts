import { BillingPeriod } from '../billing-periods/billing-period.ts';
import { closePeriod } from '../billing-periods/close-period.ts';
import { openPeriod } from '../billing-periods/open-period.ts';
import { command } from '../command.ts';
import type { Session } from '../session.ts';
import { SubscriptionItem } from '../subscription-items/subscription-item.ts';
import { atInstant } from '../test-clocks/at-instant.ts';
import { endSubscription } from './end-subscription.ts';
import { lockSubscription } from './lock-subscription.ts';
import type { Subscription } from './subscription.ts';

/**
 * Takes one subscription over one boundary that is due by its clock: the period is closed, and either the
 * next one is opened or a scheduled cancellation takes effect (reference §4.7). It happens as of the
 * instant it was due, so however late the call comes, and however often, the result is the same. Answers
 * whether there was anything to do.
 */
export function transitionSubscription(session: Session, id: string): Promise<boolean> {
  return command(session, async (session) => {
    const held = await lockSubscription(session, id);
    const { subscription } = held;
    const due = subscription.transitionDueAt;
    if (!due || due > held.session.now || subscription.isTerminal) return false;
    const then = atInstant(held.session, due);
    await closeCurrentPeriod(then, subscription);
    if (subscription.cancelScheduledAt && subscription.cancelScheduledAt <= due) {
      await endSubscription(then, subscription, { reason: null, thenFreePlan: true });
    } else {
      await openNextPeriod(then, subscription);
    }
    return true;
  });
}

async function closeCurrentPeriod({ em, now }: Session, { id, isCharged }: Subscription) {
  const period = await em.findOne(BillingPeriod, { subscription: id, endDate: now });
  if (period) await closePeriod(period, isCharged);
  await em.flush();
}

async function openNextPeriod(session: Session, subscription: Subscription) {
  const { em, now } = session;
  const items = await em.find(
    SubscriptionItem,
    { subscription: subscription.id },
    { orderBy: { addedDate: 'asc', id: 'asc' }, populate: ['price'] },
  );
  const active = items.filter((item) => item.isActive(now));
  openPeriod(session, subscription, active, now);
  if (subscription.status !== 'cancellation_scheduled') {
    subscription.status = subscription.canGoOn ? 'active' : 'past_due';
  }
  if (subscription.scheduledAdjustmentAt && subscription.scheduledAdjustmentAt <= now) {
    subscription.scheduledAdjustmentAt = null;
  }
  followMainItem(subscription, active);
}

/** The subscription goes by the name and price of its most expensive item, of several the newest. */
function followMainItem(subscription: Subscription, active: readonly SubscriptionItem[]) {
  const [main] = active
    .filter(({ manuallyCreated, price }) => !manuallyCreated && price)
    .toSorted(
      (a, b) =>
        b.unitPrice * b.quantity - a.unitPrice * a.quantity ||
        b.addedDate.getTime() - a.addedDate.getTime(),
    );
  if (!main?.price || main.priceId === subscription.priceId) return;
  subscription.price = main.price;
  subscription.name = main.name;
}
