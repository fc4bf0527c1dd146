import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { get, list, post, put } from '../engine/route.ts';
import { redemption } from '../invoicing/discount-redemptions.ts';
import { subscriptionItemFeature } from './subscription-item-features.ts';

export const subscription = fragment(/* GraphQL */ `
  fragment Subscription on Subscription {
    id createdAt updatedAt livemode startDate customerId organizationId status defaultPaymentMethodId
    backupPaymentMethodId trialEnd currentBillingPeriodStart currentBillingPeriodEnd metadata canceledAt
    cancelScheduledAt cancellationReason replacedBySubscriptionId isFreePlan doNotCharge priceId
    runBillingAtPeriodStart interval intervalCount billingCycleAnchorDate name renews pricingModelId
    scheduledAdjustmentAt current
  }
`);

const commitment = fragment(/* GraphQL */ `
  fragment Commitment on SubscriptionCommitment {
    amount interval intervalCount trueUp counts
    term { start end periods begun committed reached charged missing }
  }
`);

/** The documented record has no key for it. */
const nextStep = {
  'Subscription-Next-Step': 'subscription.nextStep',
  'Payment-Action-URL': 'subscription.paymentActionUrl',
};

/** The fields that the older rendering of a canceled subscription lacks. */
const olderLacks = [
  'cancellationReason',
  'replacedBySubscriptionId',
  'isFreePlan',
  'doNotCharge',
  'renews',
  'pricingModelId',
  'scheduledAdjustmentAt',
];

export const subscriptions = [
  list('/subscriptions', 'subscriptions', subscription),
  get(
    '/subscriptions/:id',
    /* GraphQL */ `
      query GetSubscription($id: ID!) { subscription(id: $id) { ...Subscription nextStep paymentActionUrl } }
      ${subscription}
    `,
    { headers: nextStep, versioned: 'subscription' },
  ),
  post(
    '/subscriptions',
    mutation(
      'createSubscription',
      /* GraphQL */ `
        $customerId: ID
        $customerExternalId: String
        $priceId: ID
        $priceSlug: String
        $quantity: SafeInt
        $items: [SubscriptionItemInput!]
        $phases: [SubscriptionPhaseInput!]
        $startDate: Timestamp
        $interval: IntervalUnit
        $intervalCount: Int
        $trialEnd: Timestamp
        $paidUntil: Timestamp
        $billingCycleAnchorDate: Timestamp
        $anchorDayOfMonth: Int
        $periodCount: Int
        $draftWindowHours: Int
        $externalId: String
        $commitment: CommitmentInput
        $billAt: SafeInt
        $discountCode: String
        $discountId: ID
        $metadata: JSON
        $name: String
        $defaultPaymentMethodId: ID
        $backupPaymentMethodId: ID
        $doNotCharge: Boolean
        $collectionMethod: CollectionMethod
        $daysUntilDue: Int
      `,
      'subscription { ...Subscription nextStep paymentActionUrl }',
      [subscription],
    ),
    { headers: nextStep, versioned: 'body.subscription' },
  ),
  put(
    '/subscriptions/:id',
    /* GraphQL */ `
      mutation UpdateSubscription($id: ID!, $subscription: UpdateSubscriptionInput!) {
        body: updateSubscription(id: $id, subscription: $subscription) {
          subscription { ...Subscription anchored remainingPeriods draftWindowHours billAt paymentActionUrl }
        }
      }
      ${subscription}
    `,
    {
      headers: { 'Payment-Action-URL': 'subscription.paymentActionUrl' },
      versioned: 'body.subscription',
    },
  ),
  post(
    '/subscriptions/:id/cancel',
    mutation('cancelSubscription', '$id: ID!, $cancellation: CancelSubscriptionInput!', {
      subscription,
    }),
    { legacy: { omit: olderLacks } },
  ),
  post(
    '/subscriptions/:id/preview-cancel',
    /* GraphQL */ `
      mutation PreviewSubscriptionCancellation($id: ID!, $cancellation: CancelSubscriptionInput!) {
        body: previewSubscriptionCancellation(id: $id, cancellation: $cancellation) {
          preview: cancellationPreview {
            canCancel reason previewGeneratedAt endsAt creditAmount refundAmount writtenOffAmount
            scheduledAdjustment canceledPhaseCount
          }
        }
      }
    `,
  ),
  post(
    '/subscriptions/:id/pause',
    /* GraphQL */ `
      mutation PauseSubscription($id: ID!, $pause: PauseSubscriptionInput!) {
        body: pauseSubscription(id: $id, pause: $pause) {
          subscription {
            ...Subscription pausedAt pauseScheduledAt resumesAt pauseBilling pauseEntitlements
          }
        }
      }
      ${subscription}
    `,
  ),
  post(
    '/subscriptions/:id/resume',
    /* GraphQL */ `
      mutation ResumeSubscription($id: ID!) {
        body: resumeSubscription(id: $id) {
          subscription {
            ...Subscription pausedAt pauseScheduledAt resumesAt pauseBilling pauseEntitlements
          }
        }
      }
      ${subscription}
    `,
  ),
  post(
    '/subscriptions/:id/commitment',
    /* GraphQL */ `
      mutation SetCommitment($id: ID!, $commitment: CommitmentInput!, $timing: CommitmentTiming) {
        body: setCommitment(id: $id, commitment: $commitment, timing: $timing) {
          subscription {
            ...Subscription
            commitment { ...Commitment }
          }
        }
      }
      ${subscription}
      ${commitment}
    `,
  ),
  post(
    '/subscriptions/:id/end-commitment',
    /* GraphQL */ `
      mutation EndCommitment($id: ID!, $timing: CommitmentTiming!) {
        body: endCommitment(id: $id, timing: $timing) {
          subscription {
            ...Subscription
            commitment { ...Commitment }
          }
        }
      }
      ${subscription}
      ${commitment}
    `,
  ),
  post(
    '/subscriptions/:id/apply-discount',
    mutation('applyDiscount', '$id: ID!, $discountCode: String, $discountId: ID', {
      discountRedemption: redemption,
    }),
  ),
  post(
    '/subscriptions/:id/remove-discount',
    mutation('removeDiscount', '$id: ID!', { discountRedemption: redemption }),
  ),
  post(
    '/subscriptions/:id/uncancel',
    mutation('uncancelSubscription', '$id: ID!', { subscription }),
  ),
  post(
    '/subscriptions/:id/add-feature',
    mutation(
      'addFeatureToSubscription',
      /* GraphQL */ `
        $id: ID!
        $featureId: ID
        $featureSlug: String
        $grantCreditsImmediately: Boolean
      `,
      { subscriptionItemFeature },
    ),
  ),
];
