import type { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import { createCheckoutSessionInput } from '#domain/money/commands/checkout-sessions/checkout-input.ts';
import { createCheckoutSession } from '#domain/money/commands/checkout-sessions/create-checkout-session.ts';
import { checkoutUrl } from '#domain/platform/reads/checkout-link.ts';
import { builder } from '../engine/builder.ts';
import { byCommand } from '../engine/by-command.ts';
import { CheckoutSessionRef, CheckoutSessionType } from './checkout-sessions.ts';

const CreateCheckoutSession = builder.inputType('CreateCheckoutSessionInput', {
  description: 'A page where a customer buys, adds a payment method or activates a subscription.',
  fields: (t) => ({
    type: t.field({
      type: CheckoutSessionType,
      required: true,
      description: 'The purpose: `product`, `add_payment_method` or `activate_subscription`.',
    }),
    customerExternalId: t.string({
      description: 'Your own id of the customer; required unless `anonymous` is true.',
    }),
    anonymous: t.boolean({
      description:
        'Whether the customer is not known yet; for products. The page adds a customer with the name and e-mail address that are entered.',
    }),
    priceId: t.id({ description: 'The price; alternative to `priceSlug`, for products.' }),
    priceSlug: t.string({
      description: 'The slug of the price; alternative to `priceId`, for products.',
    }),
    discountCode: t.string({
      description: 'The code of a discount; alternative to `discountId`, for products.',
    }),
    discountId: t.id({
      description: 'The discount; alternative to `discountCode`, for products.',
    }),
    allowDiscountCodes: t.boolean({
      description:
        'Whether the customer may enter, replace and remove the code of a discount on the page; true when absent. For products.',
    }),
    quantity: t.int({ description: 'The number of units; 1 when absent. For products.' }),
    targetSubscriptionId: t.id({
      description:
        'The subscription to activate, or that the added payment method pays from then on.',
    }),
    automaticallyUpdateSubscriptions: t.boolean({
      description:
        'Whether the added payment method becomes the default and pays all subscriptions; false when absent.',
    }),
    preserveBillingCycleAnchor: t.boolean({
      description:
        'Whether the subscription keeps the billing cycle of the free plan that it replaces; its first payment is for the rest of the running period. False by default, and for `add_payment_method`.',
    }),
    successUrl: t.string({
      required: true,
      description:
        'The address that the customer is sent to after completion. It gets the parameter `checkoutSessionId`.',
    }),
    cancelUrl: t.string({
      required: true,
      description: 'The address that the customer can return to without completion.',
    }),
    outputMetadata: t.field({
      type: 'JSON',
      description:
        'The metadata of the purchase and the subscription: key-value pairs, whose values are text of up to 500 characters, numbers, booleans, lists or objects.',
    }),
    outputName: t.string({
      description: 'The name of the purchase and the subscription; the product’s when absent.',
    }),
  }),
});

const CreateCheckoutSessionPayload = builder
  .objectRef<CheckoutSession>('CreateCheckoutSessionPayload')
  .implement({
    description: 'The result of opening a checkout session.',
    fields: (t) => ({
      checkoutSession: t.field({
        type: CheckoutSessionRef,
        description: 'The checkout session.',
        resolve: (checkout) => checkout,
      }),
      url: t.string({
        description: 'Its page; redirect the customer to it.',
        resolve: ({ id }, _args, session) => checkoutUrl(session, id),
      }),
    }),
  });

builder.mutationField('createCheckoutSession', (t) =>
  t.field({
    type: CreateCheckoutSessionPayload,
    description:
      'Opens a page where a customer buys a product, adds a payment method or activates a subscription, for 24 hours. Errors: BAD_REQUEST for an unknown customer, price or subscription, and for a subscription that has ended. BAD_REQUEST also for a price that cannot be bought, and a discount that cannot be redeemed.',
    args: {
      checkoutSession: t.arg({
        type: CreateCheckoutSession,
        required: true,
        description: 'The purpose of the page, with its fields.',
      }),
    },
    ...byCommand(createCheckoutSessionInput, createCheckoutSession),
  }),
);
