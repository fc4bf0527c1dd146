import { Price } from '#domain/model/catalog/price.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { TopUp } from '#domain/model/money/top-up.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { decimal, flag, int, nullable } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { withId, withOptionalId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';
import { byFlag, byId, byPresence } from '../engine/where.ts';

record(TopUp, {
  description: 'A rule that buys usage credits for a subscription when few remain.',
  fields: () => ({
    ...withId('customer', Customer, 'The customer.'),
    ...withId('subscription', Subscription, 'The subscription.'),
    ...withId('usageMeter', UsageMeter, 'The usage meter of the credits.'),
    ...withId('price', Price, 'The price of a package.'),
    quantity: int('The number of units in a purchase.'),
    threshold: decimal('It buys when the remaining credits are at or below this amount.'),
    mostPerMonth: int('The largest number of purchases in a calendar month of UTC.'),
    purchasesInMonth: int('The number of purchases in the month of the latest one.'),
    active: flag('Whether it buys.'),
    problem: nullable.text(
      'The reason why it has stopped; null unless a purchase could not be paid.',
    ),
    ...withOptionalId(
      'pendingPurchase',
      Purchase,
      'The purchase whose payment is not decided. Meanwhile it does not buy.',
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
