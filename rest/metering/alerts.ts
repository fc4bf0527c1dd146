import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post, put } from '../engine/route.ts';

const alert = fragment(/* GraphQL */ `
  fragment Alert on Alert {
    id createdAt updatedAt livemode organizationId pricingModelId kind threshold percentages hardLimit active name customerId
    subscriptionId usageMeterId ruleId
  }
`);

export const alerts = [
  list('/alerts', 'alerts', alert),
  one('/alerts/:id', { alert }, { versioned: 'alert' }),
  post('/alerts', mutation('createAlert', '$alert: CreateAlertInput!', { alert }), {
    versioned: 'body.alert',
  }),
  put('/alerts/:id', mutation('updateAlert', '$id: ID!, $alert: UpdateAlertInput!', { alert }), {
    versioned: 'body.alert',
  }),
];
