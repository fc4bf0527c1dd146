import { openSession, type Session } from '#domain/kernel/session.ts';
import { Event } from '#domain/model/platform/event.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import type { CreateSubscriptionInput } from '#domain/subscriptions/commands/subscriptions/create-subscription-input.ts';
import { aCustomer, aPaymentMethod, aSubscription, aTestClock } from './factories.ts';

/** The same caller with an empty identity map, at another instant if one is given. */
export const fresh = ({ em, apiKeyId, ...scope }: Session, now = scope.now): Session =>
  openSession(em, { ...scope, now }, apiKeyId);

export const at = (date: string) => new Date(date.length > 10 ? date : `${date}T10:00:00.000Z`);

/** Formats an instant as these tests write it: the date alone at ten o'clock. */
export const told = (instant: Date | null | undefined) =>
  instant?.toISOString().replace('T10:00:00.000Z', '') ?? null;

/** A subscription of a customer on its own clock that shows January 31, 2026, ten o'clock. */
export async function aTimedSubscription(
  session: Session,
  { paid, from = '2026-01-31', ...input }: TimedInput = {},
) {
  const clock = await aTestClock(session, at(from));
  const customer = await aCustomer(session, { testClockId: clock.id });
  const method = paid && (await aPaymentMethod(session, customer.id));
  const payer = method && !input.doNotCharge ? { defaultPaymentMethodId: method.id } : {};
  const { id } = await aSubscription(session, { customerId: customer.id, ...payer, ...input });
  return { clockId: clock.id, customerId: customer.id, id };
}

type TimedInput = Partial<CreateSubscriptionInput> & {
  unitPrice?: number;
  featureIds?: string[];
  /** Whether the customer has a payment method. */
  paid?: boolean;
  from?: string;
};

export const advance = (session: Session, clockId: string, to: string) =>
  advanceTestClock(fresh(session), { id: clockId, frozenTime: at(to) });

export const subscriptionOf = (session: Session, id: string) =>
  fresh(session).em.findOneOrFail(Subscription, id);

export const subscriptionsOf = (session: Session, customerId: string) =>
  fresh(session).em.find(
    Subscription,
    { customer: customerId },
    { orderBy: { createdAt: 'asc', isFreePlan: 'desc' } },
  );

export const periodsOf = (session: Session, subscription: string) =>
  fresh(session).em.find(
    BillingPeriod,
    { subscription },
    { orderBy: { startDate: 'asc' }, populate: ['items'] },
  );

/** The periods of a subscription as `start end status`, the earliest first. */
export const storyOf = async (session: Session, id: string) =>
  (await periodsOf(session, id)).map(
    ({ startDate, endDate, status }) => `${told(startDate)} ${told(endDate)} ${status}`,
  );

/** The events of an object, in the order of the feed. */
export const eventsOf = (session: Session, objectId: string) =>
  fresh(session).em.find(Event, { objectId }, { orderBy: { position: 'asc' } });
