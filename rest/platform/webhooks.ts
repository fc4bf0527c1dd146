import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post, put } from '../engine/route.ts';

export const webhook = fragment(/* GraphQL */ `
  fragment Webhook on Webhook {
    id createdAt updatedAt livemode filterTypes organizationId url name active pricingModelId
  }
`);

export const webhooks = [
  list('/webhooks', 'webhooks', webhook),
  one('/webhooks/:id', { webhook }, { versioned: 'webhook' }),
  post(
    '/webhooks',
    /* GraphQL */ `
      mutation CreateWebhook($webhook: CreateWebhookInput!) {
        body: createWebhook(webhook: $webhook) { webhook { ...Webhook } secret }
      }
      ${webhook}
    `,
    { versioned: 'body.webhook' },
  ),
  put(
    '/webhooks/:id',
    mutation('updateWebhook', '$id: ID!, $webhook: UpdateWebhookInput!', { webhook }),
    { versioned: 'body.webhook' },
  ),
  post(
    '/webhooks/:id/rotate-secret',
    /* GraphQL */ `
      mutation RotateWebhookSecret($id: ID!, $overlapSeconds: Int) {
        body: rotateWebhookSecret(id: $id, overlapSeconds: $overlapSeconds) { webhook { ...Webhook } secret }
      }
      ${webhook}
    `,
    { versioned: 'body.webhook' },
  ),
];
