import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { get, one, post, put } from '../engine/route.ts';

const resource = fragment(/* GraphQL */ `
  fragment Resource on Resource {
    id createdAt updatedAt livemode organizationId pricingModelId slug name active
  }
`);

export const resources = [
  get(
    '/resources',
    /* GraphQL */ `
      query ListResources($where: ResourceWhere, $sort: ResourceOrder) {
        resources: allResources(where: $where, orderBy: $sort) { ...Resource }
      }
      ${resource}
    `,
  ),
  one('/resources/:id', { resource }, { versioned: 'resource' }),
  post('/resources', mutation('createResource', '$resource: CreateResourceInput!', { resource }), {
    versioned: 'body.resource',
  }),
  put(
    '/resources/:id',
    mutation('updateResource', '$id: ID!, $resource: UpdateResourceInput!', { resource }),
    { versioned: 'body.resource' },
  ),
];
