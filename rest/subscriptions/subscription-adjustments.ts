import { mutation } from '../engine/operations.ts';
import { post, put } from '../engine/route.ts';
import { subscriptionItem } from './subscription-items.ts';
import { subscription } from './subscriptions.ts';

export const subscriptionAdjustments = [
  post(
    '/subscriptions/:id/adjust',
    /* GraphQL */ `
      mutation AdjustSubscription($id: ID!, $adjustment: AdjustSubscriptionInput!) {
        body: adjustSubscription(id: $id, adjustment: $adjustment) {
          subscription { ...Subscription paymentActionUrl }
          subscriptionItems { ...SubscriptionItem }
          resolvedTiming
          isUpgrade
          billingRunId @extra
        }
      }
      ${subscription}
      ${subscriptionItem}
    `,
    {
      omitNull: ['billingRunId'],
      headers: { 'Payment-Action-URL': 'subscription.paymentActionUrl' },
    },
  ),
  put(
    '/subscription-items/:id',
    mutation(
      'updateSubscriptionItem',
      /* GraphQL */ `
        $id: ID!
        $subscriptionItem: UpdateSubscriptionItemInput!
        $timing: AdjustmentTiming
        $prorateCurrentBillingPeriod: Boolean
      `,
      /* GraphQL */ `
        subscription { ...Subscription paymentActionUrl }
          subscriptionItem { ...SubscriptionItem }
          subscriptionItems { ...SubscriptionItem }
          resolvedTiming
          isUpgrade
          billingRunId
      `,
      [subscription, subscriptionItem],
    ),
    {
      omitNull: ['billingRunId'],
      versioned: 'body.subscriptionItem',
      headers: { 'Payment-Action-URL': 'subscription.paymentActionUrl' },
    },
  ),
  post(
    '/subscriptions/:id/preview-adjust',
    /* GraphQL */ `
      mutation PreviewSubscriptionAdjustment($id: ID!, $adjustment: AdjustSubscriptionInput!) {
        body: previewSubscriptionAdjustment(id: $id, adjustment: $adjustment) {
          body: adjustmentPreview {
            canAdjust
            reason
            previewGeneratedAt
            prorationAmount
            amountDue @extra
            creditAmount @extra
            currentPlanTotal
            newPlanTotal
            resolvedTiming
            effectiveDate
            isUpgrade
            percentThroughBillingPeriod
            billingPeriodEnd
            newInterval @extra
            newIntervalCount @extra
            newIntervalStart @extra
            scheduledAdjustment @extra
            paymentMethod { id: paymentMethodId type last4 brand }
            currentSubscriptionItems { name unitPrice quantity priceId }
            newSubscriptionItems { name unitPrice quantity priceId }
          }
        }
      }
    `,
    {
      omitNull: [
        'reason',
        'prorationAmount',
        'amountDue',
        'creditAmount',
        'scheduledAdjustment',
        'currentPlanTotal',
        'newPlanTotal',
        'resolvedTiming',
        'effectiveDate',
        'isUpgrade',
        'percentThroughBillingPeriod',
        'billingPeriodEnd',
        'newInterval',
        'newIntervalCount',
        'newIntervalStart',
        'paymentMethod',
        'currentSubscriptionItems',
        'newSubscriptionItems',
      ],
    },
  ),
  post(
    '/subscriptions/:id/cancel-scheduled-adjustment',
    /* GraphQL */ `
      mutation CancelScheduledAdjustment($id: ID!) {
        body: cancelScheduledAdjustment(id: $id) {
          subscription { ...Subscription }
          canceledItemCount
        }
      }
      ${subscription}
    `,
  ),
];
