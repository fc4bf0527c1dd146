import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post, put } from '../engine/route.ts';

const alertRule = fragment(/* GraphQL */ `
  fragment AlertRule on AlertRule {
    id createdAt updatedAt livemode organizationId pricingModelId kind threshold percentages hardLimit active name
    usageMeterId appliedAt failedCustomers
  }
`);

export const alertRules = [
  list('/alert-rules', 'alertRules', alertRule),
  one('/alert-rules/:id', { alertRule }, { versioned: 'alertRule' }),
  post(
    '/alert-rules',
    mutation('createAlertRule', '$alertRule: CreateAlertRuleInput!', { alertRule }),
    { versioned: 'body.alertRule' },
  ),
  put(
    '/alert-rules/:id',
    mutation('updateAlertRule', '$id: ID!, $alertRule: UpdateAlertRuleInput!', { alertRule }),
    { versioned: 'body.alertRule' },
  ),
];
