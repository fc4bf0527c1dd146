import type { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import { createCheckoutSessionInput } from '#domain/money/commands/checkout-sessions/checkout-input.ts';
import { createCheckoutSession } from '#domain/money/commands/checkout-sessions/create-checkout-session.ts';
import { checkoutUrl } from '#domain/platform/reads/checkout-link.ts';
import { nullable, of, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input, object } from '../engine/types.ts';
import { CheckoutSessionRef, CheckoutSessionType } from './checkout-sessions.ts';

const CreateCheckoutSession = input('CreateCheckoutSessionInput', {
  description: 'A page where a customer buys, adds a payment method or activates a subscription.',
  fields: {
    type: of(
      CheckoutSessionType,
      'The purpose: `product`, `add_payment_method` or `activate_subscription`.',
    ),
    customerExternalId: nullable.text(
      'Your own id of the customer; required unless `anonymous` is true.',
    ),
    anonymous: nullable.flag(
      'Whether the customer is not known yet; for products. The page adds a customer with the name and e-mail address that are entered.',
    ),
    priceId: nullable.id('The price; alternative to `priceSlug`, for products.'),
    priceSlug: nullable.text('The slug of the price; alternative to `priceId`, for products.'),
    discountCode: nullable.text(
      'The code of a discount; alternative to `discountId`, for products.',
    ),
    discountId: nullable.id('The discount; alternative to `discountCode`, for products.'),
    allowDiscountCodes: nullable.flag(
      'Whether the customer may enter, replace and remove the code of a discount on the page; true when absent. For products.',
    ),
    quantity: nullable.int('The number of units; 1 when absent. For products.'),
    targetSubscriptionId: nullable.id(
      'The subscription to activate, or that the added payment method pays from then on.',
    ),
    automaticallyUpdateSubscriptions: nullable.flag(
      'Whether the added payment method becomes the default and pays all subscriptions; false when absent.',
    ),
    preserveBillingCycleAnchor: nullable.flag(
      'Whether the subscription keeps the billing cycle of the free plan that it replaces; its first payment is for the rest of the running period. False by default, and for `add_payment_method`.',
    ),
    successUrl: text(
      'The address that the customer is sent to after completion. It gets the parameter `checkoutSessionId`.',
    ),
    cancelUrl: text('The address that the customer can return to without completion.'),
    outputMetadata: nullable.json(
      'The metadata of the purchase and the subscription: key-value pairs, whose values are text of up to 500 characters, numbers, booleans, lists or objects.',
    ),
    outputName: nullable.text(
      'The name of the purchase and the subscription; the product’s when absent.',
    ),
  },
});

const CreateCheckoutSessionPayload = object<CheckoutSession>('CreateCheckoutSessionPayload')({
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

mutation('createCheckoutSession', {
  returns: CreateCheckoutSessionPayload,
  description:
    'Opens a page where a customer buys a product, adds a payment method or activates a subscription, for 24 hours. Errors: BAD_REQUEST for an unknown customer, price or subscription, and for a subscription that has ended. BAD_REQUEST also for a price that cannot be bought, and a discount that cannot be redeemed.',
  args: { checkoutSession: of(CreateCheckoutSession, 'The purpose of the page, with its fields.') },
  input: createCheckoutSessionInput,
  command: createCheckoutSession,
});
