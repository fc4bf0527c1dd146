import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { readable } from '../engine/readable.ts';
import { byEntries, byEnum, byFlag, byId, byText, byTime } from '../engine/where.ts';
import { SubscriptionItemType } from './subscription-items.ts';

readable({
  one: 'subscriptionItem',
  many: 'subscriptionItems',
  noun: 'subscription item',
  entity: SubscriptionItem,
  where: {
    subscription: byId('subscription', 'The subscription.'),
    customer: byId('customerId', 'The customer.'),
    price: byId('price', 'The price.'),
    name: byText('name', 'The display name.'),
    externalId: byText('externalId', 'Your own id of the item.'),
    type: byEnum(SubscriptionItemType, 'type', 'The type.'),
    manuallyCreated: byFlag('manuallyCreated', 'Added manually (true) or not (false).'),
    addedDate: byTime('addedDate', 'The time from which the item is charged.'),
    expiredAt: byTime('expiredAt', 'The time when the item ends.'),
    metadata: byEntries('metadata', 'Entries of the metadata, all of which must match.'),
  },
});
