import { z } from 'zod';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import { countInput, nameInput, webAddressInput } from '#domain/kernel/inputs/inputs.ts';
import { metadataInput } from '#domain/kernel/inputs/metadata-input.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';

/** The types of checkout sessions that callers create. */
const createdTypes = ['product', 'add_payment_method', 'activate_subscription'] as const;

/** The largest quantity: REST shows it as a whole number of 32 bits. */
const mostUnits = 2_147_483_647;

/** The fields of one type only. */
const fieldsOf = {
  product: [
    'priceId',
    'priceSlug',
    'quantity',
    'anonymous',
    'discountCode',
    'discountId',
    'allowDiscountCodes',
  ],
  add_payment_method: ['automaticallyUpdateSubscriptions'],
  activate_subscription: [],
} as const;

export const createCheckoutSessionInput = z.object({
  checkoutSession: z
    .object({
      type: z.enum(createdTypes),
      customerExternalId: z.string().nullish(),
      anonymous: z.boolean().nullish(),
      priceId: z.string().nullish(),
      priceSlug: z.string().nullish(),
      discountCode: z.string().nullish(),
      discountId: z.string().nullish(),
      allowDiscountCodes: z.boolean().nullish(),
      quantity: countInput.max(mostUnits).nullish(),
      targetSubscriptionId: z.string().nullish(),
      automaticallyUpdateSubscriptions: z.boolean().nullish(),
      preserveBillingCycleAnchor: z.boolean().nullish(),
      successUrl: webAddressInput,
      cancelUrl: webAddressInput,
      outputMetadata: metadataInput.nullish(),
      outputName: nameInput.nullish(),
    })
    .superRefine((input, context) => {
      const issue = (code: IssueCode, path: string, message: string) =>
        context.addIssue({ code: 'custom', ...coded(code, path, message) });
      const { type, customerExternalId: customer, targetSubscriptionId: target } = input;
      const isAnonymous = input.anonymous ?? false;
      if (isAnonymous && customer != null)
        issue('NOT_ALLOWED', 'customerExternalId', 'must be null where anonymous is true');
      if (!isAnonymous && customer == null)
        issue('REQUIRED', 'customerExternalId', 'is required unless anonymous is true');
      for (const [owner, fields] of Object.entries(fieldsOf)) {
        for (const field of owner === type ? [] : fields) {
          if (input[field]) issue('NOT_ALLOWED', field, `must be left out where type is ${type}`);
        }
      }
      if (type === 'add_payment_method' && input.preserveBillingCycleAnchor)
        issue(
          'NOT_ALLOWED',
          'preserveBillingCycleAnchor',
          'must be false: a payment method starts no billing cycle',
        );
      if (type === 'product' && (input.priceId == null) === (input.priceSlug == null))
        issue('INVALID', 'priceId', 'give either priceId or priceSlug');
      if (type === 'product' && target != null)
        issue('NOT_ALLOWED', 'targetSubscriptionId', 'must be left out where type is product');
      if (type === 'activate_subscription' && target == null)
        issue(
          'REQUIRED',
          'targetSubscriptionId',
          'is required where type is activate_subscription',
        );
    }),
});

export type CheckoutInput = z.output<typeof createCheckoutSessionInput>['checkoutSession'];
