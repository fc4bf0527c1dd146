import { z } from 'zod';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import type { Session } from '#domain/kernel/session.ts';
import { isPlanItem, SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { pricedItemsOf } from '#domain/platform/reads/items-of.ts';
import {
  type Adjustment,
  adjustmentTimings,
  itemFields,
} from '#domain/subscriptions/adjusting/adjust-input.ts';
import { itemPath } from '#domain/subscriptions/adjusting/match-items.ts';
import { type AdjustedSubscription, adjust } from './adjust-subscription.ts';

export const updateSubscriptionItemInput = z.object({
  id: z.string(),
  subscriptionItem: z
    .object(itemFields)
    .refine(
      ({ priceId, priceSlug }) => priceId == null || priceSlug == null,
      coded('NOT_ALLOWED', 'priceId', 'give either priceId or priceSlug'),
    ),
  timing: z.enum(adjustmentTimings).nullish(),
  expectedVersion: expectedVersionInput,
  prorateCurrentBillingPeriod: z.boolean().nullish(),
});

type Input = z.output<typeof updateSubscriptionItemInput>;

/** An adjusted subscription with the item that the request has changed. */
export interface UpdatedItem extends AdjustedSubscription {
  /** It changes with the payment or at the end of the period, where the adjustment waits for that. */
  readonly subscriptionItem: SubscriptionItem;
}

/**
 * Adjusts one item of a subscription; all others stay as they are when the subscription is locked. Without a timing, a
 * change of its name, metadata and external id applies at once, and any other one as with `auto`. Errors: those of
 * `adjustSubscription`, and BAD_REQUEST for an item that has ended, was added by hand or has another version.
 */
export async function updateSubscriptionItem(
  session: Session,
  { id, ...input }: Input,
  signal?: AbortSignal,
): Promise<UpdatedItem> {
  const { subscriptionId } = await session.em.findOneOrFail(SubscriptionItem, id);
  let place = 0;
  try {
    const adjusted = await adjust(
      session,
      subscriptionId,
      async (locked) => {
        const { adjustment, index } = await adjustmentOf(locked, id, input);
        place = index;
        return adjustment;
      },
      signal,
    );
    const subscriptionItem = await afresh(session).em.findOneOrFail(SubscriptionItem, id);
    return { ...adjusted, subscriptionItem };
  } catch (error) {
    throw ofItem(error, place);
  }
}

async function adjustmentOf(
  { session, subscription }: LockedSubscription,
  id: string,
  { subscriptionItem, timing, prorateCurrentBillingPeriod, expectedVersion }: Omit<Input, 'id'>,
): Promise<{ adjustment: Adjustment; index: number }> {
  const all = await pricedItemsOf(session, subscription);
  const items = all.filter((item) => item.isActive(session.now) && isPlanItem(item));
  const index = items.findIndex((item) => item.id === id);
  const item = items[index];
  if (!item) {
    throw invalid(
      'INVALID_STATE',
      'id',
      `${id} is not a current item of the plan of ${subscription.id}`,
    );
  }
  expectVersion(item, expectedVersion);
  const { priceId, priceSlug, quantity, unitPrice, discountPercentage, trialEnd } =
    subscriptionItem;
  const isMoney =
    discountPercentage !== undefined ||
    trialEnd !== undefined ||
    [priceId, priceSlug, quantity, unitPrice].some((value) => value != null);
  const newSubscriptionItems = items.map((item) =>
    item.id === id ? { ...subscriptionItem, id } : { id: item.id },
  );
  const adjustment = {
    timing: timing ?? (isMoney ? ('auto' as const) : ('immediately' as const)),
    newSubscriptionItems,
    prorateCurrentBillingPeriod,
    joinsSchedule: true,
  };
  return { adjustment, index };
}

/** The same error with the paths of this command's input. */
function ofItem(error: unknown, place: number): unknown {
  if (!(error instanceof DomainError) || error.code !== 'BAD_REQUEST') return error;
  const own = itemPath(place, '').split('.').slice(0, -1);
  const issues = error.issues.map((issue) =>
    own.every((part, index) => String(issue.path[index]) === part)
      ? { ...issue, path: ['subscriptionItem', ...issue.path.slice(own.length)] }
      : issue,
  );
  return new DomainError('BAD_REQUEST', error.message, { issues, cause: error });
}
