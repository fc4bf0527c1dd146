import { fragment } from '../engine/fragment.ts';
import { get, list, post, put } from '../engine/route.ts';

const alertRule = fragment(
  'AlertRule',
  /* GraphQL */ `
    fragment AlertRule on AlertRule {
      id createdAt updatedAt livemode organizationId pricingModelId kind threshold percentages hardLimit active name
      usageMeterId appliedAt failedCustomers
    }
  `,
);

export const alertRules = [
  list('/alert-rules', 'alertRules', alertRule),
  get(
    '/alert-rules/:id',
    /* GraphQL */ `
      query GetAlertRule($id: ID!) { alertRule(id: $id) { ...AlertRule } }
      ${alertRule}
    `,
    { versioned: 'alertRule' },
  ),
  post(
    '/alert-rules',
    /* GraphQL */ `
      mutation CreateAlertRule($alertRule: CreateAlertRuleInput!) {
        body: createAlertRule(alertRule: $alertRule) { alertRule { ...AlertRule } }
      }
      ${alertRule}
    `,
    { versioned: 'body.alertRule' },
  ),
  put(
    '/alert-rules/:id',
    /* GraphQL */ `
      mutation UpdateAlertRule($id: ID!, $alertRule: UpdateAlertRuleInput!) {
        body: updateAlertRule(id: $id, alertRule: $alertRule) { alertRule { ...AlertRule } }
      }
      ${alertRule}
    `,
    { versioned: 'body.alertRule' },
  ),
];
