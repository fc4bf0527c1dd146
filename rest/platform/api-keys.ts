import { get } from '../engine/route.ts';

export const apiKeys = [
  get(
    '/api-keys/:id',
    /* GraphQL */ `
      query GetApiKey($id: ID!) {
        apiKey(id: $id) {
          id createdAt updatedAt livemode organizationId pricingModelId name token active type
          expiresAt idpHostedBillingUserId hashText
        }
      }
    `,
  ),
];
