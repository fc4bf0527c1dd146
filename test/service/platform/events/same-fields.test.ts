// @module-tag long
import { expect } from 'vitest';
import { confirmReservation } from '#domain/capacity/commands/reservations/confirm-reservation.ts';
import { reserveResource } from '#domain/capacity/commands/reservations/reserve-resource.ts';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { releaseResource } from '#domain/capacity/commands/resource-claims/release-resource.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Event } from '#domain/model/platform/event.ts';
import { eventTypes } from '#domain/model/platform/event-types.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { replaceUsageEvent } from '#domain/recording/commands/usage-events/replace-usage-event.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { updateSubscription } from '#domain/subscriptions/commands/subscriptions/update-subscription.ts';
import { aPaymentMethod, aPriceOf } from '../../../support/factories.ts';
import { expectEventsToAgree } from '../../../support/records/events.ts';
import { aSubscriptionWithSeats } from '../../../support/seats.ts';
import { test } from '../../../support/test.ts';
import { advance, fresh } from '../../../support/timeline.ts';
import { aMeteredSubscription, grant, use, voidEvent } from '../../../support/usage.ts';

test('each event of an object has the fields of its first one, and tells of all that differs', async ({
  session,
}) => {
  await useAndCorrect(session);
  await payAndRefund(session);
  await claimAndRelease(session);
  await moveTrial(session);
  await expectEventsToAgree(session);
  const types = new Set((await fresh(session).em.find(Event, {})).map(({ type }) => type));
  const covered = eventTypes.filter((type) => types.has(type));
  expect(covered).toEqual(
    expect.arrayContaining([
      'usage_event.recorded',
      'usage_event.voided',
      'usage_event.replaced',
      'usage_credit.created',
      'usage_credit.updated',
      'usage_credit.expired',
      'usage_credit.rolled_over',
      'payment.succeeded',
      'payment.failed',
      'refund.updated',
      'resource_claim.released',
      'reservation.confirmed',
      'subscription.adjusted',
      'subscription.canceled',
    ]),
  );
});

async function useAndCorrect(session: Session) {
  const metered = { credits: 100, creditsOnce: 20, rollover: { limit: 30 } };
  const { id, slug, clockId } = await aMeteredSubscription(session, metered);
  const [one, two] = await use(session, { id, slug }, 5, 7);
  await use(session, { id, slug }, 11);
  await voidEvent(session, one?.id ?? '');
  await replaceUsageEvent(fresh(session), { id: two?.id ?? '', ...correction });
  await grant(session, { id, slug }, 40);
  await advance(session, clockId, '2026-03-10');
  const priceId = await aPriceOf(session, { intervalUnit: 'year', unitPrice: 9_000 });
  await adjustSubscription(fresh(session), {
    id,
    adjustment: { timing: 'immediately', newSubscriptionItems: [{ priceId, quantity: 1 }] },
  });
  await advance(session, clockId, '2026-04-10');
  await cancelSubscription(fresh(session), { id, cancellation: { timing: 'immediately' } });
}

const correction = {
  reason: 'A wrong amount',
  usageEvent: { transactionId: 'corrected', amount: '6' },
};

async function payAndRefund(session: Session) {
  const { customerId, clockId } = await aMeteredSubscription(session, {});
  const [paid] = await fresh(session).em.find(Payment, { customerId });
  await refundPayment(fresh(session), { id: paid?.id ?? '', partialAmount: 300 });
  await aPaymentMethod(fresh(session), customerId, {
    token: 'sandbox_decline_insufficient_funds',
    default: true,
  });
  await advance(session, clockId, '2026-03-10');
}

async function claimAndRelease(session: Session) {
  const { subscriptionId, resourceSlug } = await aSubscriptionWithSeats(session);
  const seats = { subscriptionId, resourceSlug, quantity: 2 };
  await claimResource(fresh(session), seats);
  await releaseResource(fresh(session), { ...seats, quantity: 1 });
  const { reservation } = await reserveResource(fresh(session), seats);
  await confirmReservation(fresh(session), { id: reservation.id });
}

async function moveTrial(session: Session) {
  const { id } = await aMeteredSubscription(session, {
    credits: 10,
    trialEnd: new Date('2026-02-20'),
  });
  const subscription = { trialEnd: new Date('2026-02-25') };
  await updateSubscription(fresh(session), { id, subscription });
}
