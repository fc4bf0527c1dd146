import { Customer } from '#domain/model/platform/customer.ts';
import { entitlementChanges } from '#domain/platform/commands/customers/entitlement-changes.ts';
import { builder } from '../engine/builder.ts';

builder.subscriptionField('entitlementsChanged', (t) =>
  t.field({
    type: Customer,
    description:
      'Emits the customer immediately, and again after each change of the features that its subscriptions grant. Changes include features that start or expire by time alone. Errors: NOT_FOUND.',
    args: { customerId: t.arg.id({ required: true, description: 'The id of the customer.' }) },
    subscribe: async (_root, { customerId }, session) =>
      (await entitlementChanges(session, customerId)) as AsyncIterable<never>,
    resolve: (_change, { customerId }, { em }) => em.findOneOrFail(Customer, customerId),
  }),
);
