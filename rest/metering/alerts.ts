import { fragment } from '../engine/fragment.ts';
import { get, list, post, put } from '../engine/route.ts';

const alert = fragment(
  'Alert',
  /* GraphQL */ `
    fragment Alert on Alert {
      id createdAt updatedAt livemode organizationId pricingModelId kind threshold percentages hardLimit active name customerId
      subscriptionId usageMeterId ruleId
    }
  `,
);

export const alerts = [
  list('/alerts', 'alerts', alert),
  get(
    '/alerts/:id',
    /* GraphQL */ `
      query GetAlert($id: ID!) { alert(id: $id) { ...Alert } }
      ${alert}
    `,
    { versioned: 'alert' },
  ),
  post(
    '/alerts',
    /* GraphQL */ `
      mutation CreateAlert($alert: CreateAlertInput!) {
        body: createAlert(alert: $alert) { alert { ...Alert } }
      }
      ${alert}
    `,
    { versioned: 'body.alert' },
  ),
  put(
    '/alerts/:id',
    /* GraphQL */ `
      mutation UpdateAlert($id: ID!, $alert: UpdateAlertInput!) {
        body: updateAlert(id: $id, alert: $alert) { alert { ...Alert } }
      }
      ${alert}
    `,
    { versioned: 'body.alert' },
  ),
];
