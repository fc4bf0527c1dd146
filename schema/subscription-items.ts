import { Price } from '#domain/prices/price.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import {
  SubscriptionItem,
  subscriptionItemTypes,
} from '#domain/subscription-items/subscription-item.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

export const SubscriptionItemType = builder.enumType('SubscriptionItemType', {
  description: 'The kind of a subscription item: the same amount in every period (static).',
  values: subscriptionItemTypes,
});

builder.node(SubscriptionItem, {
  name: 'SubscriptionItem',
  description: 'One line of what a subscription consists of.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`si_…`' },
  loadOne: (id, { em }) => em.findOne(SubscriptionItem, id),
  fields: (t) => ({
    subscriptionId: t.exposeID('subscriptionId', { description: 'The subscription.' }),
    name: t.exposeString('name', { description: 'The name for people.' }),
    addedDate: t.expose('addedDate', {
      type: 'Timestamp',
      description: 'From when on it is charged for and grants its features.',
    }),
    priceId: t.exposeID('priceId', {
      nullable: true,
      description: 'The price; null for what was added by hand.',
    }),
    unitPrice: t.expose('unitPrice', { type: 'SafeInt', description: 'Minor units for one.' }),
    quantity: t.expose('quantity', { type: 'SafeInt', description: 'How many.' }),
    type: t.expose('type', { type: SubscriptionItemType, description: 'The kind of item.' }),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: 'The organization’s own id of it.',
    }),
    manuallyCreated: t.exposeBoolean('manuallyCreated', {
      description: 'Whether it was added by hand; it is not charged for then.',
    }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      nullable: true,
      description: 'Names with a text, a number or a boolean.',
    }),
    expiredAt: t.expose('expiredAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it ends or has ended; null while it does not.',
    }),
    price: t.field({
      type: Price,
      nullable: true,
      description: 'The price; null for what was added by hand.',
      resolve: async ({ price }) => (await price?.loadOrFail()) ?? null,
    }),
    features: t.field({
      type: [SubscriptionItemFeature],
      description: 'What it grants or has granted, oldest first.',
      resolve: ({ features }) => features.loadItems(),
    }),
  }),
});

const SubscriptionItemFilter = builder.inputType('SubscriptionItemFilter', {
  description: 'Which subscription items to list.',
  fields: (t) => ({
    subscription: t.id({ description: 'Of the subscription with this id.' }),
    price: t.id({ description: 'Of the price with this id.' }),
    externalId: t.string({ description: 'With this id of your own.' }),
    manuallyCreated: t.boolean({ description: 'Added by hand (true) or not.' }),
  }),
});

readable({
  one: 'subscriptionItem',
  many: 'subscriptionItems',
  noun: 'subscription item',
  entity: SubscriptionItem,
  filter: SubscriptionItemFilter,
});
