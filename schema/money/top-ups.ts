import { Price } from '#domain/model/catalog/price.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { TopUp } from '#domain/model/money/top-up.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
import { optionalReference, reference } from '../engine/reference.ts';
import { byFlag, byId, byPresence } from '../engine/where.ts';

builder.node(TopUp, {
  name: 'TopUp',
  description: 'A rule that buys usage credits for a subscription when few remain.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('top_up'),
  loadOne: loadOne(TopUp),
  fields: (t) => ({
    customerId: t.exposeID('customerId', { description: 'The customer.' }),
    customer: t.field(reference(Customer, 'customerId', 'The customer.')),
    subscriptionId: t.exposeID('subscriptionId', { description: 'The subscription.' }),
    subscription: t.field(reference(Subscription, 'subscriptionId', 'The subscription.')),
    usageMeterId: t.exposeID('usageMeterId', { description: 'The usage meter of the credits.' }),
    usageMeter: t.field(reference(UsageMeter, 'usageMeterId', 'The usage meter of the credits.')),
    priceId: t.exposeID('priceId', { description: 'The price of a package.' }),
    price: t.field(reference(Price, 'priceId', 'The price of a package.')),
    quantity: t.exposeInt('quantity', { description: 'The number of units in a purchase.' }),
    threshold: t.expose('threshold', {
      type: 'Decimal',
      description: 'It buys when the remaining credits are at or below this amount.',
    }),
    mostPerMonth: t.exposeInt('mostPerMonth', {
      description: 'The largest number of purchases in a calendar month of UTC.',
    }),
    purchasesInMonth: t.exposeInt('purchasesInMonth', {
      description: 'The number of purchases in the month of the latest one.',
    }),
    active: t.exposeBoolean('active', { description: 'Whether it buys.' }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'The reason why it has stopped; null unless a purchase could not be paid.',
    }),
    pendingPurchaseId: t.exposeID('pendingPurchaseId', {
      nullable: true,
      description: 'The purchase whose payment is not decided. Meanwhile it does not buy.',
    }),
    pendingPurchase: t.field(
      optionalReference(
        Purchase,
        'pendingPurchaseId',
        'The purchase whose payment is not decided. Meanwhile it does not buy.',
      ),
    ),
  }),
});

readable({
  one: 'topUp',
  many: 'topUps',
  noun: 'top-up',
  entity: TopUp,
  where: {
    customer: byId('customerId', 'The customer.'),
    subscription: byId('subscription', 'The subscription.'),
    usageMeter: byId('usageMeter', 'The usage meter of the credits.'),
    active: byFlag('active', 'Active (true) or inactive (false).'),
    stopped: byPresence('problem', 'Whether it has stopped since a purchase could not be paid.'),
  },
});

builder.objectField(Subscription, 'topUps', (t) =>
  listBelow(t, TopUp, { by: 'subscription', description: 'The top-ups of its usage credits.' }),
);
