import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import {
  amountIndex,
  pageIndex,
  searchIndex,
  sortIndex,
} from '#domain/kernel/lists/list-indexes.ts';
import { onlyTax } from '#domain/model/catalog/only-tax.ts';
import { type TaxLine, taxTypes } from '#domain/model/catalog/tax.ts';
import { collectionMethods } from '#domain/model/platform/collection-methods.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import type { Parties } from '#domain/model/platform/parties.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { ConsolidatedInvoice } from './consolidated-invoice.ts';
import { invoiceChecks } from './invoice-checks.ts';
import { InvoiceLineItem } from './invoice-line-item.ts';

export const invoiceTypes = ['subscription', 'purchase', 'standalone'] as const;
export const invoiceStatuses = [
  'draft',
  'open',
  'paid',
  'uncollectible',
  'void',
  'refunded',
  'partially_refunded',
  'awaiting_payment_confirmation',
] as const;

/** The reason why an invoice exists. */
export const invoicePurposes = [
  'period',
  'adjustment',
  'last_usage',
  'threshold',
  'usage_correction',
  'manual',
] as const;

/** The statuses in which money may still be received. */
export const payableStatuses = ['open', 'awaiting_payment_confirmation'] as const;

/** The credited part of one tax of an invoice, in minor units. */
export interface TaxCredited {
  /** The credited amount of the lines of its group. */
  readonly lines: number;
  readonly amount: number;
}

const InvoiceSchema = defineEntity({
  name: 'Invoice',
  uniques: [
    { name: 'invoice_number_unique', properties: ['customer', 'invoiceNumber'] },
    { name: 'invoice_purchase_unique', properties: ['purchaseId'] },
    { name: 'invoice_prepaid_credit_unique', properties: ['prepaidCreditId'] },
    {
      name: 'invoice_period_unique',
      properties: ['billingPeriod'],
      where: { purpose: 'period' },
    },
    {
      name: 'invoice_member_unique',
      properties: ['consolidatedInvoice', 'subscription'],
      where: { consolidatedInvoice: { $ne: null } },
    },
  ],
  indexes: [
    pageIndex('invoice'),
    {
      name: 'invoice_payable',
      properties: ['pricingModelId', 'customer'],
      where: { status: { $in: [...payableStatuses] } },
    },
    { name: 'invoice_customer', properties: ['customer', 'createdAt'] },
    { name: 'invoice_subscription', properties: ['subscription'] },
    { name: 'invoice_period', properties: ['billingPeriod'] },
    {
      name: 'invoice_consolidated',
      properties: ['consolidatedInvoice', 'createdAt', 'position', 'id'],
      where: { consolidatedInvoice: { $ne: null } },
    },
    {
      name: 'invoice_status',
      properties: ['pricingModelId', 'status', 'createdAt', 'position', 'id'],
    },
    { name: 'invoice_date', properties: ['pricingModelId', 'invoiceDate', 'position', 'id'] },
    sortIndex('invoice', 'invoice_due_date', `coalesce(due_date, 'infinity'::timestamptz)`),
    amountIndex('invoice', 'invoice_total', 'total'),
    sortIndex('invoice', 'invoice_number', 'lower(invoice_number)'),
    searchIndex('invoice'),
    {
      name: 'invoice_follow_up',
      properties: ['testClockId', 'followUpDueAt', 'id'],
      where: { followUpDueAt: { $ne: null }, status: 'open' },
    },
  ],
  checks: invoiceChecks,
  properties: {
    ...tenantColumns('inv'),
    purchaseId: p.string().nullable(),
    /** The prepaid credit that it buys. */
    prepaidCreditId: p.string().nullable().hidden(),
    customer: () => p.manyToOne(Customer).ref().deleteRule('cascade'),
    billingRunId: p.string().nullable(),
    ownerMembershipId: p.string().nullable(),
    invoiceNumber: p.string(),
    invoiceDate: instant(),
    dueDate: instant().nullable(),
    status: p.enum(invoiceStatuses).default('draft'),
    memo: p.text().nullable(),
    bankPaymentOnly: p.boolean().default(false),
    type: p.enum(invoiceTypes),
    /** ISO 4217, upper case. */
    currency: p.string().length(3),
    /** The sum of the line items, in minor units. */
    subtotal: safeInteger().default(0),
    taxAmount: safeInteger().default(0),
    /** Whether the line items contain the tax already. */
    taxInclusive: p.boolean().default(false),
    /** The amount to be paid, in minor units. */
    total: safeInteger().default(0),
    /** The part of the total that the customer's prepaid credits and its credit balance have paid. */
    creditApplied: safeInteger().default(0),
    /** The part of it that prepaid credits have paid. */
    prepaidApplied: safeInteger().default(0),
    /** The sum of its credit notes, also of those that are being settled. */
    amountCredited: safeInteger().default(0),
    /** The tax in that sum. */
    taxCredited: safeInteger().default(0).hidden(),
    /**
     * The part of the total that is not to be paid any more: its credit notes have written it off or refunded it, or the
     * balance has paid for the refund of what they had returned before.
     */
    amountWaived: safeInteger().default(0).hidden(),
    /** Whether it was written off before there were credit notes. */
    isUndocumented: p.boolean().default(false).hidden(),
    applicationFee: safeInteger().nullable(),
    taxType: p.enum(taxTypes).nullable(),
    taxCountry: p.string().length(2).nullable(),
    taxState: p.string().nullable(),
    /** Null where `taxLines` has several rates. */
    taxRatePercentage: p.string().nullable(),
    /** The taxes; null where the columns above state the only one. */
    taxLines: p.json<readonly TaxLine[]>().nullable().hidden(),
    /** For each of them, what credit notes have credited: amount before tax of its lines, and tax. */
    taxesCredited: p.json<readonly TaxCredited[]>().nullable().hidden(),
    billingPeriod: () => p.manyToOne(BillingPeriod).ref().nullable().deleteRule('cascade'),
    subscription: () => p.manyToOne(Subscription).ref().nullable().deleteRule('cascade'),
    /** The document that it is a member of; only invoices for whole periods are. */
    consolidatedInvoice: () =>
      p.manyToOne(ConsolidatedInvoice).ref().nullable().deleteRule('cascade'),
    billingPeriodStartDate: instant().nullable(),
    billingPeriodEndDate: instant().nullable(),
    purpose: p.enum(invoicePurposes).hidden(),
    collectionMethod: p.enum(collectionMethods).default('charge_automatically'),
    /** When an invoice that is not charged was sent. */
    sentAt: instant().nullable(),
    /** When it was found to be overdue: once for each invoice. */
    overdueAt: instant().nullable(),
    /** The number of reminders since then. */
    reminderCount: p.integer().default(0),
    /** When it becomes overdue, or is reminded of next; null after the last reminder, and for one that is charged. */
    followUpDueAt: instant().nullable().hidden(),
    testClockId: p.string().nullable().hidden(),
    /** Seller and customer when it was finalized; a trigger writes them once. Null for a draft. */
    parties: p.json<Parties>().nullable().lazy().hidden(),
    lineItems: () =>
      p.oneToMany(InvoiceLineItem).mappedBy('invoice').orderBy({ position: 'asc', id: 'asc' }),
  },
});

/** A request for payment to a customer, with its lines, tax and status. */
export class Invoice extends InvoiceSchema.class implements EmitsEvents {
  get customerId(): Opt<string> {
    return this.customer.id;
  }

  get subscriptionId(): Opt<string> | null {
    return this.subscription?.id ?? null;
  }

  get billingPeriodId(): Opt<string> | null {
    return this.billingPeriod?.id ?? null;
  }

  get consolidatedInvoiceId(): Opt<string> | null {
    return this.consolidatedInvoice?.id ?? null;
  }

  /** The taxes, in the order in which they apply. */
  get taxes(): Opt<readonly TaxLine[]> {
    return this.taxLines ?? onlyTax(this);
  }

  /** Whether money may still be received for it. */
  get isPayable(): Opt<boolean> {
    return (payableStatuses as readonly string[]).includes(this.status);
  }

  /** Whether there is a receipt: it was paid, even if it has been refunded since. */
  get hasReceipt(): Opt<boolean> {
    return ['paid', 'refunded', 'partially_refunded'].includes(this.status);
  }

  /** Whether it is sent with a due date instead of charged. */
  get isSent(): Opt<boolean> {
    return this.collectionMethod === 'send_invoice';
  }

  verbFor(changed: ReadonlySet<string>) {
    if (changed.has('status') && this.status === 'paid') return 'paid';
    if (changed.has('overdueAt')) return 'overdue';
    if (changed.has('reminderCount')) return 'reminder_due';
    return changed.has('sentAt') ? 'sent' : undefined;
  }
}
InvoiceSchema.setClass(Invoice);
