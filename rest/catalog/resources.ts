import { fragment } from '../engine/fragment.ts';
import { get, post, put } from '../engine/route.ts';

const resource = fragment(
  'Resource',
  /* GraphQL */ `
    fragment Resource on Resource {
      id createdAt updatedAt livemode organizationId pricingModelId slug name active
    }
  `,
);

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
  get(
    '/resources/:id',
    /* GraphQL */ `
      query GetResource($id: ID!) { resource(id: $id) { ...Resource } }
      ${resource}
    `,
    { versioned: 'resource' },
  ),
  post(
    '/resources',
    /* GraphQL */ `
      mutation CreateResource($resource: CreateResourceInput!) {
        body: createResource(resource: $resource) { resource { ...Resource } }
      }
      ${resource}
    `,
    { versioned: 'body.resource' },
  ),
  put(
    '/resources/:id',
    /* GraphQL */ `
      mutation UpdateResource($id: ID!, $resource: UpdateResourceInput!) {
        body: updateResource(id: $id, resource: $resource) { resource { ...Resource } }
      }
      ${resource}
    `,
    { versioned: 'body.resource' },
  ),
];
