import { Customer } from '#domain/model/platform/customer.ts';
import { withSubscription } from '#domain/platform/commands/customers/customer-conditions.ts';
import { customerByExternalId } from '#domain/platform/reads/read-customer.ts';
import { builder } from '../engine/builder.ts';
import { readable } from '../engine/readable.ts';
import { byAmount, byEntries, byFlag, byId, byText, custom } from '../engine/where.ts';
import { SubscriptionStatus } from '../shared/subscription-status.ts';

readable({
  one: 'customer',
  many: 'customers',
  noun: 'customer',
  entity: Customer,
  usualFilter: { archived: false },
  search: {
    table: 'customer',
    description: 'A part of the name, email address, domain name or your own id, in any case.',
  },
  where: {
    name: byText('name', 'The display name.'),
    email: byText('email', 'The email address.'),
    domain: byText('domain', 'The domain name.'),
    externalId: byText('externalId', 'Your own id.'),
    userId: byText('userId', 'The id of the corresponding user in your application.'),
    archived: byFlag('archived', 'Archived (true) or not (false); false when absent.'),
    testClock: byId('testClock', 'The test clock.'),
    subscriptionStatus: custom.oneOf(
      SubscriptionStatus,
      'The status of any subscription of the customer.',
      withSubscription,
    ),
    amountOwed: byAmount('amountOwed', 'The amount due of payable invoices, in minor units.'),
    owes: custom.flag('Whether the customer owes money.', (owes) => ({
      amountOwed: owes ? { $gt: 0 } : 0,
    })),
    currency: byText('currency', 'The currency of the customer’s invoices, in upper case.'),
    metadata: byEntries('metadata', 'Entries of the metadata, all of which must match.'),
    creditBalance: byAmount('creditBalance', 'The credit balance, in minor units.'),
    prepaidBalance: byAmount('prepaidBalance', 'The rest of the prepaid credits, in minor units.'),
  },
  orders: {
    name: { property: 'name', kind: 'text', words: 'name' },
    email: { property: 'email', kind: 'text', words: 'email address' },
    amount_owed: {
      property: 'amountOwed',
      kind: 'integer',
      inCurrency: true,
      words: 'amount owed',
    },
  },
});

builder.queryField('customerByExternalId', (t) =>
  t.field({
    type: Customer,
    description: 'The customer with your own id, unless it is archived. Errors: NOT_FOUND.',
    args: {
      externalId: t.arg.string({ required: true, description: 'Your own id of the customer.' }),
    },
    resolve: (_root, { externalId }, session) => customerByExternalId(session, externalId),
  }),
);
