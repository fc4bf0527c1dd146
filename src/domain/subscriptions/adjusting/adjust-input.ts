import { z } from 'zod';
import { itemDiscountInput } from '#domain/catalog/item-discount-input.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import {
  amountInput,
  countInput,
  instantInput,
  keptText,
  nameInput,
} from '#domain/kernel/inputs/inputs.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import { metadataInput } from '#domain/kernel/inputs/metadata-input.ts';
import { subscriptionItemTypes } from '#domain/model/subscriptions/subscription-item.ts';

/** The largest number of items of a subscription. Each period has them at most once. */
export const mostItems = 100;

/** When an adjustment takes effect. */
export const resolvedTimings = ['immediately', 'at_end_of_current_billing_period'] as const;
export type ResolvedTiming = (typeof resolvedTimings)[number];
/** The timing that a caller asks for: `auto` applies an upgrade immediately, anything else at period end. */
export const adjustmentTimings = [...resolvedTimings, 'auto'] as const;

/** The fields of an item that a caller chooses. */
export const itemFields = {
  priceId: z.string().nullish(),
  priceSlug: z.string().nullish(),
  quantity: countInput.nullish(),
  unitPrice: amountInput.nullish(),
  discountPercentage: itemDiscountInput.nullish(),
  trialEnd: instantInput.nullish(),
  name: nameInput.nullish(),
  externalId: keptText(255).nullish(),
  metadata: metadataInput.nullish(),
};

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

export type AdjustmentItem = z.output<typeof itemInput> & {
  /** Whether its price may be one that is not sold any more. */
  readonly keepsRetired?: boolean | undefined;
};

export const adjustSubscriptionInput = z.object({
  id: z.string(),
  adjustment: z.object({
    timing: z.enum(adjustmentTimings),
    newSubscriptionItems: listInput(itemInput, mostItems),
    prorateCurrentBillingPeriod: z.boolean().nullish(),
  }),
});

export type AdjustSubscriptionInput = z.output<typeof adjustSubscriptionInput>;

export type Adjustment = Omit<AdjustSubscriptionInput['adjustment'], 'newSubscriptionItems'> & {
  readonly newSubscriptionItems: AdjustmentItem[];
  /** Whether phases that are due with a period that it begins stay planned, for the period after that one. */
  readonly keepsPhases?: boolean;
  /** Whether plans stay: it is refused while an end is scheduled, and at the end of the period while an adjustment is. */
  readonly keepsSchedule?: boolean;
  /** Whether a scheduled adjustment stays, with the changes of this one, where this one also waits for the end of the period. */
  readonly joinsSchedule?: boolean;
  /** Whether the seller has planned it, also where it is due before the command of a customer. */
  readonly bySeller?: boolean;
};
