import { ref } from '@mikro-orm/core';
import { z } from 'zod';
import { collectionFields } from '#domain/invoicing/billing/collection-input.ts';
import { draftWindowInput } from '#domain/invoicing/billing/draft-window.ts';
import { namedPaymentMethod } from '#domain/invoicing/billing/payment-method-for.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { instantInput, nameInput } from '#domain/kernel/inputs/inputs.ts';
import { metadataInput } from '#domain/kernel/inputs/metadata-input.ts';
import type { Session } from '#domain/kernel/session.ts';
import { compareUsage, watchUsage } from '#domain/metering/credits/watch-usage.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { paySubscription } from '#domain/money/methods/pay-with.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import { changeCollection } from './change-collection.ts';
import { billAtInput } from './commitment-input.ts';
import { mostPeriods } from './create-subscription-input.ts';
import { limitPeriods, moveAnchor, moveTrialEnd } from './move-dates.ts';

export const updateSubscriptionInput = z.object({
  id: z.string(),
  expectedVersion: expectedVersionInput,
  subscription: z.object({
    name: nameInput.nullish(),
    metadata: metadataInput.nullish(),
    trialEnd: instantInput.nullish(),
    billingCycleAnchorDate: instantInput.nullish(),
    anchorDayOfMonth: z.int().min(1).max(31).nullish(),
    remainingPeriods: z.int().min(0).max(mostPeriods).nullish(),
    draftWindowHours: draftWindowInput.nullish(),
    billAt: billAtInput.nullish(),
    defaultPaymentMethodId: z.string().nullish(),
    backupPaymentMethodId: z.string().nullish(),
    ...collectionFields,
  }),
});

type Input = z.output<typeof updateSubscriptionInput>;
type Changes = Input['subscription'];

/**
 * Changes a subscription, but not its items. Null removes `metadata`, the backup payment method, the limit of
 * periods, the own draft window and the amount at which usage is billed; elsewhere it changes nothing. An ended subscription changes its name and its metadata only. Errors: NOT_FOUND; BAD_REQUEST.
 */
export function updateSubscription(
  session: Session,
  { id, expectedVersion, subscription: changes }: Input,
): Promise<Subscription> {
  return lockCaughtUp(session, id, async (locked) => {
    const { subscription, session } = locked;
    expectVersion(subscription, expectedVersion);
    refuseEnded(subscription, changes);
    if (changes.name != null) subscription.name = changes.name;
    if (changes.metadata !== undefined) subscription.metadata = changes.metadata;
    if (changes.trialEnd) await moveTrialEnd(session, subscription, changes.trialEnd);
    moveAnchor(subscription, changes);
    if (changes.remainingPeriods !== undefined)
      limitPeriods(subscription, changes.remainingPeriods);
    if (changes.draftWindowHours !== undefined) {
      subscription.draftWindowHours = changes.draftWindowHours;
    }
    if (changes.billAt !== undefined) await changeBillAt(session, subscription, changes.billAt);
    await changePaymentMethods(locked, changes);
    await changeCollection(locked, changes);
    await session.em.flush();
    return subscription;
  });
}

const fieldsOfCurrent = [
  'trialEnd',
  'billingCycleAnchorDate',
  'anchorDayOfMonth',
  'remainingPeriods',
  'draftWindowHours',
  'billAt',
  'defaultPaymentMethodId',
  'backupPaymentMethodId',
  'collectionMethod',
  'daysUntilDue',
] as const;

/** Refuses changes of an ended subscription that could have no effect. Errors: BAD_REQUEST. */
function refuseEnded({ id, isTerminal, status }: Subscription, changes: Changes) {
  const field = fieldsOfCurrent.find((name) => changes[name] != null);
  if (!isTerminal || !field) return;
  throw invalid('INVALID_STATE', `subscription.${field}`, `cannot change: ${id} is ${status}`);
}

/** The unbilled usage is compared at once. Errors: BAD_REQUEST for a subscription that is never charged or has no periods. */
async function changeBillAt(session: Session, subscription: Subscription, billAt: number | null) {
  if (billAt != null && (subscription.doNotCharge || !subscription.renews)) {
    const why = 'must be left out: the subscription is never charged for periods';
    throw invalid('NOT_ALLOWED', 'subscription.billAt', why);
  }
  subscription.billAt = billAt;
  await session.em.flush();
  await watchUsage(session, subscription);
  await compareUsage(session, subscription);
}

/** Owed amounts become due with a new default payment method; the next billing round charges them. */
async function changePaymentMethods(
  { session, customer, subscription }: LockedSubscription,
  changes: Changes,
) {
  for (const name of ['defaultPaymentMethodId', 'backupPaymentMethodId'] as const) {
    if (!subscription.doNotCharge || changes[name] == null) continue;
    throw invalid(
      'NOT_ALLOWED',
      `subscription.${name}`,
      'must be left out: the subscription is never charged',
    );
  }
  const methodOf = (name: 'defaultPaymentMethodId' | 'backupPaymentMethodId') =>
    namedPaymentMethod(session, customer, `subscription.${name}`, changes[name]);
  const backup = await methodOf('backupPaymentMethodId');
  if (changes.backupPaymentMethodId !== undefined) {
    subscription.backupPaymentMethod = ref(backup);
  }
  const method = await methodOf('defaultPaymentMethodId');
  if (method && method.id !== subscription.defaultPaymentMethodId) {
    await paySubscription(session, subscription, method);
  }
}
