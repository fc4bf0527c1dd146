import { defineEntity, p } from '@mikro-orm/core';
import { InvoiceLineItem } from '#domain/invoice-line-items/invoice-line-item.ts';
import { instant } from '#domain/kernel/columns.ts';
import { newId } from '#domain/kernel/ids.ts';
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
  properties: {
    id: p
      .string()
      .primary()
      .onCreate(() => newId('owed_usage')),
    createdAt: instant(),
    balance: () => p.manyToOne(UsageMeterBalance).ref().deleteRule('cascade'),
    billingPeriodId: p.string(),
    priceId: p.string(),
    /** By how much that rises which is to be paid for the period; below 0 for what is made up for. */
    quantity: p.decimal('string').columnType('numeric'),
    /** The line that bills it; null until one does. */
    invoiceLineItem: () =>
      p.manyToOne(InvoiceLineItem).ref().nullable().index().deleteRule('no action'),
    /** For what is made up for: the line that billed it; null for lines of before there was this. */
    undoneLineItem: () =>
      p.manyToOne(InvoiceLineItem).ref().nullable().index().deleteRule('no action'),
    /** Whether nothing of that line's invoice had been kept, so that it made no other invoice less. */
    isLost: p.boolean().default(false),
  },
});

/** What a period that has ended leaves to be paid at one price, and each later change of it. */
export class OwedUsage extends OwedUsageSchema.class {}
OwedUsageSchema.setClass(OwedUsage);
