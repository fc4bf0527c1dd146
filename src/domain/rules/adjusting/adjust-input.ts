import { z } from 'zod';
import { coded } from '#domain/kernel/input-issues.ts';
import { instantInput, keptText, nameInput } from '#domain/kernel/inputs.ts';
import { listInput } from '#domain/kernel/list-input.ts';
import { metadataInput } from '#domain/kernel/metadata-input.ts';
import { itemDiscountInput } from '#domain/rules/catalog/item-discount-input.ts';
import { subscriptionItemTypes } from '#domain/subscription-items/subscription-item.ts';

/** The largest number of items of a subscription. Each period has them at most once. */
export const mostItems = 100;

/** When an adjustment takes effect. */
export const resolvedTimings = ['immediately', 'at_end_of_current_billing_period'] as const;
export type ResolvedTiming = (typeof resolvedTimings)[number];
/** The timing that a caller asks for: `auto` applies an upgrade immediately, anything else at period end. */
export const adjustmentTimings = [...resolvedTimings, 'auto'] as const;

/**
 * An item in one of 3 forms: the record of an item, a new item in full, or a price and a quantity. A new item names
 * the id or slug of its price. Missing fields come from the item that `id` names, else from the price.
 */
const itemInput = z
  .object({
    id: z.string().nullish(),
    subscriptionId: z.string().nullish(),
    addedDate: instantInput.nullish(),
    name: nameInput.nullish(),
    priceId: z.string().nullish(),
    priceSlug: z.string().nullish(),
    unitPrice: z.int().nullish(),
    discountPercentage: itemDiscountInput.nullish(),
    trialEnd: instantInput.nullish(),
    quantity: z.int().nullish(),
    type: z.enum(subscriptionItemTypes).nullish(),
    externalId: keptText(255).nullish(),
    metadata: metadataInput.nullish(),
    expiredAt: instantInput.nullish(),
    manuallyCreated: z.boolean().nullish(),
  })
  .refine(
    ({ priceId, priceSlug }) => priceId == null || priceSlug == null,
    coded('NOT_ALLOWED', 'priceId', 'give either priceId or priceSlug'),
  );

export type AdjustmentItem = z.output<typeof itemInput>;

export const adjustSubscriptionInput = z.object({
  id: z.string(),
  adjustment: z.object({
    timing: z.enum(adjustmentTimings),
    newSubscriptionItems: listInput(itemInput, mostItems),
    prorateCurrentBillingPeriod: z.boolean().nullish(),
  }),
});

export type AdjustSubscriptionInput = z.output<typeof adjustSubscriptionInput>;

export type Adjustment = AdjustSubscriptionInput['adjustment'] & {
  /** Whether phases that are due with a period that it begins stay planned, for the period after that one. */
  readonly keepsPhases?: boolean;
};
