import { defineEntity, p } from '@mikro-orm/core';
import { checksOf, instant, organizationColumn } from '#domain/kernel/columns.ts';
import { newId } from '#domain/kernel/ids.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { UsageMeterBalance } from './usage-meter-balance.ts';

const OwedUsageSchema = defineEntity({
  name: 'OwedUsage',
  indexes: [
    {
      name: 'owed_usage_unbilled',
      properties: ['balance', 'priceId'],
      where: { invoiceLineItem: null },
    },
    { name: 'owed_usage_period', properties: ['balance', 'billingPeriodId'] },
  ],
  checks: checksOf({
    owed_usage_amount: '(amount is null) = (invoice_line_item_id is null)',
  }),
  properties: {
    id: p
      .string()
      .primary()
      .onCreate(() => newId('owed_usage')),
    createdAt: instant(),
    balance: () => p.manyToOne(UsageMeterBalance).ref().deleteRule('cascade'),
    organizationId: organizationColumn(),
    billingPeriodId: p.string(),
    priceId: p.string(),
    /** The change of the usage that is owed for the period; below 0 for a correction. */
    quantity: p.decimal('string').columnType('numeric'),
    /** The line that bills it; null until one does. */
    invoiceLineItem: () =>
      p.manyToOne(InvoiceLineItem).ref().nullable().index().deleteRule('no action'),
    /** For a correction: the line that billed the usage; null for lines that predate this column. */
    undoneLineItem: () =>
      p.manyToOne(InvoiceLineItem).ref().nullable().index().deleteRule('no action'),
    /** Whether no money was kept for that line's invoice, so that it reduced no other invoice. */
    isLost: p.boolean().default(false),
    /** The part of the line's amount, in minor units; null until it is billed. */
    amount: p.bigint('number').nullable(),
  },
});

/** The usage that a closed period owes at one price, or a later change of it. */
export class OwedUsage extends OwedUsageSchema.class {}
OwedUsageSchema.setClass(OwedUsage);
