import { get } from '../engine/route.ts';

export const usageAcceptances = [
  get(
    '/usage-acceptances/:position',
    /* GraphQL */ `
      query GetUsageAcceptance($position: ID!) {
        body: usageAcceptance(position: $position) { position pending }
      }
    `,
  ),
];
