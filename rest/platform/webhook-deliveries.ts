import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { pageSelection } from '../engine/pages.ts';
import { get, post } from '../engine/route.ts';
import { webhook } from './webhooks.ts';

const delivery = fragment(/* GraphQL */ `
  fragment WebhookDelivery on WebhookDelivery {
    id createdAt updatedAt livemode organizationId pricingModelId webhookId eventId eventType sequence
    objectId status attemptCount nextAttemptAt deliveredAt
    attempts { at durationMilliseconds responseStatus responseBody error }
  }
`);

export const webhookDeliveries = [
  get(
    '/webhooks/:id/deliveries',
    /* GraphQL */ `
      query ListWebhookDeliveries(
        $id: ID!
        $limit: Int
        $cursor: String
        $where: WebhookDeliveryWhere
        $sort: WebhookDeliveryOrder
      ) {
        body: webhookDeliveries(
          first: $limit
          after: $cursor
          webhookId: $id
          where: $where
          orderBy: $sort
        ) {
          data: nodes { ...WebhookDelivery }
          ${pageSelection}
          total: totalCount
        }
      }
      ${delivery}
    `,
  ),
  get(
    '/webhooks/:id/deliveries/:deliveryId',
    /* GraphQL */ `
      query GetWebhookDelivery($id: ID!, $deliveryId: ID!) {
        webhookDelivery(id: $deliveryId, webhookId: $id) { ...WebhookDelivery }
      }
      ${delivery}
    `,
  ),
  post(
    '/webhooks/:id/deliveries/:deliveryId/retry',
    /* GraphQL */ `
      mutation RetryWebhookDelivery($id: ID!, $deliveryId: ID!) {
        body: retryWebhookDelivery(id: $deliveryId, webhookId: $id) { webhookDelivery { ...WebhookDelivery } }
      }
      ${delivery}
    `,
  ),
  post(
    '/webhooks/:id/deliveries/replay',
    /* GraphQL */ `
      mutation ReplayWebhook($id: ID!, $after: Sequence, $since: Timestamp) {
        body: replayWebhook(id: $id, after: $after, since: $since) { webhook { ...Webhook } deliveries }
      }
      ${webhook}
    `,
  ),
  post(
    '/webhooks/:id/deliveries/test',
    mutation('sendTestEvent', '$id: ID!', { webhookDelivery: delivery }),
  ),
];
