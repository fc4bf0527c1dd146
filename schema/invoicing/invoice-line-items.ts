import { Price } from '#domain/model/catalog/price.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import {
  InvoiceLineItem,
  invoiceLineItemTypes,
} from '#domain/model/invoicing/invoice-line-item.ts';
import { OneOffCharge } from '#domain/model/invoicing/one-off-charge.ts';
import { PricePart } from '../catalog/price-costs.ts';
import { partOfRow } from '../catalog/price-models.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { float, nullable, of, safeInt } from '../engine/fields.ts';
import { load } from '../engine/load.ts';
import { readable } from '../engine/readable.ts';
import { optionalReference, withId, withOptionalId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';
import { byAmount, byEnum, byId, byText } from '../engine/where.ts';
import { ReckonedCommitment } from './reckoned-commitment.ts';

export const InvoiceLineItemType = builder.enumType('InvoiceLineItemType', {
  description: 'The type of an invoice line.',
  values: described(invoiceLineItemTypes, {
    static: 'The line bills an agreed amount.',
    usage: 'The line bills or credits metered usage.',
    commitment: 'The line bills or credits the difference to a commitment.',
    one_off: 'The line bills a one-off charge.',
    discount: 'The line shows a discount, or the share of one on usage that is credited.',
  }),
});

record(InvoiceLineItem, {
  description: 'One line of an invoice.',
  fields: (t) => ({
    ...withId('invoice', Invoice, 'The invoice.'),
    type: of(InvoiceLineItemType, 'The type of the line.'),
    quantity: float(
      'The quantity, of at most 9 decimal places; for usage, the quotient. It is negative for credited usage. A line of a price with a model has 1 or -1, and its steps state the units.',
    ),
    priceId: nullable.id('The price that the line follows.'),
    priceObject: optionalReference(Price, 'priceId', 'The price that the line follows.'),
    description: nullable.text('The description.'),
    price: safeInt(
      'The price of one unit, in minor units; negative for a discount, and for a credit by hand.',
    ),
    billingRunId: t.id({
      nullable: true,
      description: 'The billing run that created the invoice of the line.',
      resolve: async ({ invoiceId }, _args, session) =>
        (await load(session, Invoice, invoiceId))?.billingRunId ?? null,
    }),
    ledgerAccountId: t.exposeID('balanceId', {
      nullable: true,
      description: 'The usage balance, whose ledger has the billed usage; null for other lines.',
    }),
    ledgerAccountCredit: t.expose('usageQuantity', {
      type: 'Decimal',
      nullable: true,
      description:
        'The usage that the line bills, or credits where it is negative; null for other lines.',
    }),
    amount: safeInt(
      'The amount of the line, in minor units, rounded half up; negative for discounts and credits.',
    ),
    priceParts: nullable.of(
      [PricePart],
      'The steps of the amount by the model of the price, at most 1,000 for each billing period; null for a price per unit, which costs price times quantity.',
      partOfRow,
    ),
    commitment: t.field({
      type: ReckonedCommitment,
      nullable: true,
      description: 'The reckoned part of a commitment; null for other lines.',
      resolve: ({ commitment }) => commitment ?? null,
    }),
    ...withOptionalId(
      'undoneLineItem',
      InvoiceLineItem,
      'The line whose difference to a commitment this one reduces; null for other lines.',
    ),
    ...withOptionalId(
      'oneOffCharge',
      OneOffCharge,
      'The one-off charge that the line bills; null for other lines.',
    ),
    ...withOptionalId(
      'discountRedemption',
      DiscountRedemption,
      'The redemption whose discount the line shows; null for other lines.',
    ),
    catalogPrice: t.field({
      type: Price,
      nullable: true,
      description: 'The price that the line follows.',
      resolve: async ({ catalogPrice }) => (await catalogPrice?.loadOrFail()) ?? null,
    }),
  }),
});

readable({
  one: 'invoiceLineItem',
  many: 'invoiceLineItems',
  noun: 'invoice line item',
  entity: InvoiceLineItem,
  where: {
    invoice: byId('invoice', 'The invoice.'),
    customer: byId('customerId', 'The customer.'),
    price: byId('catalogPrice', 'The price.'),
    type: byEnum(InvoiceLineItemType, 'type', 'The type.'),
    description: byText('description', 'The description.'),
    amount: byAmount(
      'amount',
      'The amount of the line, in minor units.',
      (alias) => `(select currency from invoice where invoice.id = ${alias}.invoice_id)`,
    ),
  },
});
