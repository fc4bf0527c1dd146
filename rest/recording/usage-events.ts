import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post } from '../engine/route.ts';
import { cloudEvents, oneCloudEvent } from './cloud-events.ts';

const usageEvent = fragment(/* GraphQL */ `
  fragment UsageEvent on UsageEvent {
    id createdAt updatedAt livemode customerId subscriptionId usageMeterId amount usageDate transactionId priceId
    pricingModelId billingPeriodId properties
  }
`);

const largestBulkBytes = 32 * 1024 * 1024;
const duplicates = { 'Usage-Duplicates': 'duplicates' };

export const usageEvents = [
  list('/usage-events', 'usageEvents', usageEvent),
  one('/usage-events/:id', { usageEvent }, { legacy: { omit: ['pricingModelId'] } }),
  post(
    '/usage-events',
    /* GraphQL */ `
      mutation RecordUsageEvent($usageEvent: UsageEventInput!) {
        body: recordUsageEvent(usageEvent: $usageEvent) { usageEvent { ...UsageEvent } duplicates }
      }
      ${usageEvent}
    `,
    {
      headers: duplicates,
      mediaTypes: oneCloudEvent,
      accepts: /* GraphQL */ `
        mutation AcceptUsageEvent($usageEvent: UsageEventInput!) {
          body: acceptUsageEvent(usageEvent: $usageEvent) { position count acceptedAt }
        }
      `,
    },
  ),
  post(
    '/usage-events/bulk',
    /* GraphQL */ `
      mutation RecordUsageEvents($usageEvents: [UsageEventInput!]!, $all: Boolean) {
        body: recordUsageEvents(usageEvents: $usageEvents) {
          usageEvents(all: $all) { ...UsageEvent }
          duplicates
        }
      }
      ${usageEvent}
    `,
    {
      headers: duplicates,
      preferences: { 'return=all': 'all' },
      limitBytes: largestBulkBytes,
      mediaTypes: cloudEvents,
      accepts: /* GraphQL */ `
        mutation AcceptUsageEvents($usageEvents: [UsageEventInput!]!) {
          body: acceptUsageEvents(usageEvents: $usageEvents) { position count acceptedAt }
        }
      `,
    },
  ),
  post(
    '/usage-events/:id/void',
    /* GraphQL */ `
      mutation VoidUsageEvent($id: ID!, $reason: String!) {
        body: voidUsageEvent(id: $id, reason: $reason) {
          usageEvent {
            ...UsageEvent voidedAt voidReason replacedById
          }
        }
      }
      ${usageEvent}
    `,
  ),
  post(
    '/usage-events/:id/replace',
    mutation(
      'replaceUsageEvent',
      '$id: ID!, $usageEvent: ReplaceUsageEventInput!, $reason: String!',
      { usageEvent },
    ),
  ),
];
