import { hasScope } from '#domain/kernel/access-scopes.ts';
import { serviceUrl } from '#domain/kernel/service-url.ts';
import { Discount } from '#domain/model/catalog/discount.ts';
import { Price } from '#domain/model/catalog/price.ts';
import {
  CheckoutSession,
  checkoutStatuses,
  checkoutTypes,
} from '#domain/model/money/checkout-session.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { checkoutPath, checkoutUrl } from '#domain/platform/reads/checkout-link.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, int, nullable, of, time } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { withOptionalId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';
import { byEnum, byId, byText, byTime } from '../engine/where.ts';
import { PaymentMethodType } from './payment-methods.ts';

export const CheckoutSessionType = builder.enumType('CheckoutSessionType', {
  description: 'The purpose of a checkout session.',
  values: described(checkoutTypes, {
    product: 'The customer buys a product, once or as a subscription.',
    purchase: 'The customer pays an existing purchase. Callers do not create this type.',
    add_payment_method: 'The customer adds a payment method.',
    activate_subscription: 'The customer pays for an existing subscription.',
  }),
});

const CheckoutSessionStatus = builder.enumType('CheckoutSessionStatus', {
  description: 'The status of a checkout session.',
  values: described(checkoutStatuses, {
    open: 'The customer can complete it.',
    pending: 'A payment is being executed.',
    succeeded: 'It is completed.',
    failed: 'It cannot be completed any more, since its subscription has ended.',
    expired: 'Its time has passed.',
  }),
});

export const CheckoutSessionRef = record(CheckoutSession, {
  description: 'A page where a customer buys, adds a payment method or activates a subscription.',
  fields: (t) => ({
    type: of(CheckoutSessionType, 'The purpose.'),
    status: of(CheckoutSessionStatus, 'The status.'),
    url: t.string({
      description:
        'The page; redirect the customer to it. The address contains a secret, and gives access to the page. Without the secret, for a caller without the scope `payments_write`.',
      resolve: ({ id }, _args, session) =>
        hasScope(session.scopes, 'payments_write')
          ? checkoutUrl(session, id)
          : serviceUrl(checkoutPath(id)),
    }),
    expires: time('The time when it can no longer be completed, 24 hours after its creation.'),
    ...withOptionalId(
      'customer',
      Customer,
      'The customer; null until an anonymous one submits the page.',
    ),
    customerName: nullable.text('The name that the page shows or the customer has entered.'),
    customerEmail: nullable.text(
      'The e-mail address that the page shows or the customer has entered.',
    ),
    billingAddress: nullable.json('The billing address that the customer has entered.'),
    ...withOptionalId('price', Price, 'The price, if any.'),
    quantity: int('The number of units.'),
    ...withOptionalId(
      'purchase',
      Purchase,
      'The purchase; null before the first payment, and for the other types.',
    ),
    invoiceId: t.id({ nullable: true, description: 'Always null.', resolve: () => null }),
    ...withOptionalId(
      'subscription',
      Subscription,
      'The subscription that was bought or activated.',
    ),
    ...withOptionalId(
      'targetSubscription',
      Subscription,
      'The existing subscription that it is for, if any.',
    ),
    paymentMethodType: nullable.of(
      PaymentMethodType,
      'The type of the payment method; null before the first payment.',
    ),
    ...withOptionalId('discount', Discount, 'The discount, if any.'),
    allowDiscountCodes: flag(
      'Whether the customer may enter, replace and remove the code of a discount on the page. It has no effect on other types than `product`.',
    ),
    successUrl: nullable.text('The address that the customer is sent to after completion.'),
    cancelUrl: nullable.text('The address that the customer can return to without completion.'),
    preserveBillingCycleAnchor: flag(
      'Whether the subscription keeps the billing cycle of the free plan that it replaces. Its first payment is for the rest of the running period, from the creation of the session on.',
    ),
    automaticallyUpdateSubscriptions: nullable.flag(
      'Whether the added payment method pays all subscriptions from then on.',
    ),
    outputMetadata: nullable.json('The metadata of the purchase and the subscription.'),
    outputName: nullable.text('The name of the purchase and the subscription.'),
  }),
});

readable({
  one: 'checkoutSession',
  many: 'checkoutSessions',
  noun: 'checkout session',
  entity: CheckoutSession,
  where: {
    customer: byId('customer', 'The customer.'),
    price: byId('price', 'The price.'),
    purchase: byId('purchase', 'The purchase.'),
    type: byEnum(CheckoutSessionType, 'type', 'The purpose.'),
    status: byEnum(CheckoutSessionStatus, 'status', 'The status.'),
    customerEmail: byText('customerEmail', 'The e-mail address.'),
    expires: byTime('expires', 'The time when it can no longer be completed.'),
  },
});
