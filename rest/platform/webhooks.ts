import { fragment } from '../engine/fragment.ts';
import { get, list, post, put } from '../engine/route.ts';

export const webhook = fragment(
  'Webhook',
  /* GraphQL */ `
    fragment Webhook on Webhook {
      id createdAt updatedAt livemode filterTypes organizationId url name active pricingModelId
    }
  `,
);

export const webhooks = [
  list('/webhooks', 'webhooks', webhook),
  get(
    '/webhooks/:id',
    /* GraphQL */ `
      query GetWebhook($id: ID!) { webhook(id: $id) { ...Webhook } }
      ${webhook}
    `,
    { versioned: 'webhook' },
  ),
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
    /* GraphQL */ `
      mutation UpdateWebhook($id: ID!, $webhook: UpdateWebhookInput!) {
        body: updateWebhook(id: $id, webhook: $webhook) { webhook { ...Webhook } }
      }
      ${webhook}
    `,
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
