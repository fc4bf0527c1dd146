import {
  InvoiceLineItem,
  invoiceLineItemTypes,
} from '#domain/invoice-line-items/invoice-line-item.ts';
import { Price } from '#domain/prices/price.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

const InvoiceLineItemType = builder.enumType('InvoiceLineItemType', {
  description: 'What a line is for: an agreed amount (static) or what was used (usage).',
  values: invoiceLineItemTypes,
});

builder.node(InvoiceLineItem, {
  name: 'InvoiceLineItem',
  description: 'One line of an invoice.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`inv_li_…`' },
  loadOne: (id, { em }) => em.findOne(InvoiceLineItem, id),
  fields: (t) => ({
    invoiceId: t.exposeID('invoiceId', { description: 'The invoice.' }),
    type: t.expose('type', { type: InvoiceLineItemType, description: 'What it is for.' }),
    quantity: t.exposeFloat('quantity', {
      description:
        'How many: a whole number, and for usage the quotient to 9 places; below 0 for usage that is credited.',
    }),
    priceId: t.exposeID('priceId', { nullable: true, description: 'The price it follows.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What it is, for people.',
    }),
    price: t.expose('price', { type: 'SafeInt', description: 'Minor units for one.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      description: 'What it amounts to, in minor units; below 0 for usage that is credited.',
    }),
    catalogPrice: t.field({
      type: Price,
      nullable: true,
      description: 'The price it follows.',
      resolve: async ({ catalogPrice }) => (await catalogPrice?.loadOrFail()) ?? null,
    }),
  }),
});

const InvoiceLineItemFilter = builder.inputType('InvoiceLineItemFilter', {
  description: 'Which invoice line items to list.',
  fields: (t) => ({
    invoice: t.id({ description: 'Of the invoice with this id.' }),
    type: t.field({ type: InvoiceLineItemType, description: 'Of this type.' }),
  }),
});

readable({
  one: 'invoiceLineItem',
  many: 'invoiceLineItems',
  noun: 'invoice line item',
  entity: InvoiceLineItem,
  filter: InvoiceLineItemFilter,
});
