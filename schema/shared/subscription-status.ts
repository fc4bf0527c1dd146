import { unpaidAccesses } from '#domain/model/platform/unpaid-access.ts';
import { cancellationCredits } from '#domain/model/subscriptions/cancellation-credit.ts';
import { pauseBillings, pauseEntitlements } from '#domain/model/subscriptions/pause-options.ts';
import { subscriptionStatuses } from '#domain/model/subscriptions/subscription-statuses.ts';
import type { nextSteps } from '#domain/subscriptions/commands/subscriptions/next-step.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';

export const SubscriptionStatus = builder.enumType('SubscriptionStatus', {
  description:
    'The status of a subscription; `canceled` and `incomplete_expired` are final. Current are `active`, `past_due`, `trialing`, `cancellation_scheduled`, and `unpaid` where `unpaidAccess` is not `none`.',
  values: described(subscriptionStatuses, {
    trialing: 'The subscription is in its free trial.',
    active: 'The subscription is in good standing.',
    past_due: 'A payment failed and retries follow.',
    unpaid: 'All payment attempts failed; `unpaidAccess` states what the subscription grants.',
    cancellation_scheduled: 'The subscription ends at a scheduled time.',
    incomplete: 'The subscription waits for its first payment and grants nothing until then.',
    incomplete_expired: 'The first payment did not arrive in time.',
    canceled: 'The subscription has ended.',
    paused: 'The subscription is paused. Usually it grants nothing, and nothing is charged.',
    credit_trial: 'The service does not set this status.',
  }),
});

export const SubscriptionNextStep = builder.enumType('SubscriptionNextStep', {
  description: 'The next step that a subscription requires.',
  values: {
    add_payment_method: {
      description:
        'The subscription has no payment method: add one to the customer. Before the first payment it is charged immediately; after a trial, at the trial’s end.',
    },
    replace_payment_method: {
      description: 'The payment method failed: add another one and make it the default.',
    },
    confirm_payment: { description: 'The customer must confirm a pending payment.' },
    await_payment: { description: 'A payment is pending: wait for its result.' },
    pay_invoice: { description: 'An invoice that was sent is overdue: the customer must pay it.' },
  } satisfies Record<(typeof nextSteps)[number], { description: string }>,
});

export const PauseBilling = builder.enumType('PauseBilling', {
  description: 'The billing of a subscription that is paused.',
  values: described(pauseBillings, {
    nothing: 'The running billing period ends, and no other one begins.',
    keeps: 'Billing periods follow each other and are charged.',
  }),
});

export const PauseEntitlements = builder.enumType('PauseEntitlements', {
  description: 'The features of a subscription that is paused.',
  values: described(pauseEntitlements, {
    off: 'The subscription grants none of them.',
    on: 'The subscription grants them as before.',
  }),
});

export const UnpaidAccess = builder.enumType('UnpaidAccess', {
  description: 'The access that a subscription grants while it is unpaid after the last attempt.',
  values: described(unpaidAccesses, {
    keep: 'It grants all features, and the usage credits of each period.',
    no_new_credits:
      'It grants all features. The usage credits of a period that begins meanwhile wait for the payment.',
    none: 'It grants nothing, and is not current. Its claims stay, and the credits that it has.',
  }),
});

export const CancellationCredit = builder.enumType('CancellationCredit', {
  description: 'The way in which a cancellation within a billing period returns unused time.',
  values: described(cancellationCredits, {
    none: 'Nothing is returned.',
    balance: 'Open invoices are reduced, and the credit balance of the customer gets the rest.',
    refund:
      'Open invoices are reduced, and the rest is refunded. The credit balance gets what cannot be refunded.',
  }),
});
