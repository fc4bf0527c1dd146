import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import type { PricePart } from '#domain/model/catalog/cost.ts';
import { Price } from '#domain/model/catalog/price.ts';
import type { ReckonedTerm } from '#domain/model/subscriptions/commitment.ts';
import { Invoice } from './invoice.ts';
import type { UsageBreakdown } from './usage-breakdown.ts';

export const invoiceLineItemTypes = [
  'static',
  'usage',
  'discount',
  'commitment',
  'one_off',
] as const;

const InvoiceLineItemSchema = defineEntity({
  name: 'InvoiceLineItem',
  indexes: [
    pageIndex('invoice_line_item'),
    { name: 'invoice_line_item_invoice', properties: ['invoice', 'position'] },
    {
      name: 'invoice_line_item_committed',
      properties: ['committedPeriodId'],
      where: { committedPeriodId: { $ne: null } },
    },
    {
      name: 'invoice_line_item_undone',
      properties: ['undoneLineItemId'],
      where: { undoneLineItemId: { $ne: null } },
    },
  ],
  uniques: [
    {
      name: 'invoice_line_item_one_off_unique',
      properties: ['oneOffChargeId'],
      where: { oneOffChargeId: { $ne: null } },
    },
  ],
  checks: checksOf({
    invoice_line_item_range: `case type when 'discount' then quantity = 1
        when 'usage' then price >= 0 else scale(quantity) <= 9 end`,
    invoice_line_item_amount: `case type when 'usage' then num_nulls(balance_id, usage_quantity, usage_events_per_unit) = 0
        else amount = round(price * quantity) end`,
    invoice_line_item_discount: `(type = 'discount') = (discount_redemption_id is not null)
        and (type = 'discount' or discount_base is null)`,
    invoice_line_item_commitment: `(type = 'commitment') = (committed_period_id is not null)
        and (type = 'commitment') = (commitment is not null) and (undone_line_item_id is null or type = 'commitment' and amount < 0)`,
    invoice_line_item_one_off: `(type = 'one_off') = (one_off_charge_id is not null)`,
  }),
  properties: {
    ...tenantColumns('inv_li'),
    invoice: () => p.manyToOne(Invoice).ref().deleteRule('cascade'),
    type: p.enum(invoiceLineItemTypes).default('static'),
    /** Up to 9 places. For usage it is the quotient to 9 places, and below 0 where usage is credited. */
    quantity: p.decimal('number').columnType('numeric'),
    catalogPrice: () =>
      p.manyToOne(Price).ref().nullable().deleteRule('restrict').name('price_id').index(),
    description: p.text().nullable(),
    /** Minor units for a quantity of 1; below 0 for a discount, and for a credit by hand. */
    price: safeInteger(),
    /** The amount of the line, in minor units, rounded half up; below 0 for discounts and credits. */
    amount: safeInteger(),
    /** For usage: its ledger. */
    balanceId: p.string().nullable().hidden(),
    /** For usage: the billed or credited usage, of which `usageEventsPerUnit` make one unit. */
    usageQuantity: p.decimal('string').columnType('numeric').nullable().hidden(),
    usageEventsPerUnit: safeInteger().nullable().hidden(),
    /** For usage: its breakdown, as recorded at billing. */
    usageBreakdown: p.json<UsageBreakdown>().nullable().hidden(),
    /** The steps of the amount by the model of the price; null for a price per unit. */
    priceParts: p.json<readonly PricePart[]>().nullable().hidden(),
    /** The group of the taxes of the invoice that it belongs to; null where it is spread over them, or there is one. */
    taxGroup: p.integer().nullable().hidden(),
    /** Its source: the item of the billing period. */
    billingPeriodItemId: p.string().nullable().hidden(),
    /** For a discount: the amount before tax that it reduces; null for a share of an earlier one. */
    discountBase: safeInteger().nullable().hidden(),
    /** For a discount: its redemption. */
    discountRedemptionId: p.string().nullable().hidden(),
    /** For a commitment: the first billing period of the term, and what was reckoned. */
    committedPeriodId: p.string().nullable().hidden(),
    commitment: p.json<ReckonedTerm>().nullable().hidden(),
    /** For a commitment: the line whose amount it reduces; null for one that charges. */
    undoneLineItemId: p.string().nullable().hidden(),
    /** For a one-off charge: its id. No charge has two lines. */
    oneOffChargeId: p.string().nullable().hidden(),
    customerId: p.string().hidden(),
  },
});

/** Whether a line charges apart from the plan: usage, the difference to a commitment, or a one-off charge. */
export const isApartFromPlan = ({ type }: Pick<InvoiceLineItem, 'type'>) =>
  type === 'usage' || type === 'commitment' || type === 'one_off';

/** One line of an invoice: a static charge, usage, a discount, the difference to a commitment, or a one-off charge. */
export class InvoiceLineItem extends InvoiceLineItemSchema.class {
  get invoiceId(): Opt<string> {
    return this.invoice.id;
  }

  get priceId(): Opt<string> | null {
    return this.catalogPrice?.id ?? null;
  }
}
InvoiceLineItemSchema.setClass(InvoiceLineItem);
