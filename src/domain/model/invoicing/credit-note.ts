import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import {
  amountIndex,
  pageIndex,
  searchIndex,
  sortIndex,
} from '#domain/kernel/lists/list-indexes.ts';
import { onlyTax } from '#domain/model/catalog/only-tax.ts';
import { type TaxLine, taxTypes } from '#domain/model/catalog/tax.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { CreditNoteLine } from './credit-note-line.ts';
import { Invoice } from './invoice.ts';

/** The reasons that a caller may give. */
export const chosenReasons = [
  'duplicate',
  'fraudulent',
  'order_change',
  'product_unsatisfactory',
  'requested_by_customer',
  'uncollectible',
  'other',
] as const;

/** All reasons, with those of credit notes that the service creates. */
export const creditNoteReasons = [
  ...chosenReasons,
  'refund',
  'usage_corrected',
  'plan_changed',
  'period_cut_short',
  'dispute_lost',
] as const;

/** The reasons of credit notes for a part of a plan that was charged and is not used. */
export const unusedReasons: readonly (typeof creditNoteReasons)[number][] = [
  'plan_changed',
  'period_cut_short',
];

/** How a credit note is settled: the way in which the customer gets the amount. */
export const creditNoteSettlements = ['refund', 'credit', 'write_off', 'set_off'] as const;

export const creditNoteStatuses = ['pending', 'settled', 'failed'] as const;

const CreditNoteSchema = defineEntity({
  name: 'CreditNote',
  uniques: [{ name: 'credit_note_number_unique', properties: ['customer', 'creditNoteNumber'] }],
  indexes: [
    pageIndex('credit_note'),
    { name: 'credit_note_invoice', properties: ['invoice', 'createdAt', 'position', 'id'] },
    { name: 'credit_note_customer', properties: ['customer', 'createdAt', 'position', 'id'] },
    { name: 'credit_note_date', properties: ['pricingModelId', 'issuedAt', 'position', 'id'] },
    amountIndex('credit_note', 'credit_note_total', 'total'),
    { name: 'credit_note_set_off', properties: ['setOffInvoiceId'] },
    sortIndex('credit_note', 'credit_note_number', 'lower(credit_note_number)'),
    searchIndex('credit_note'),
  ],
  checks: checksOf({
    credit_note_amounts: `total > 0 and subtotal >= 0 and tax_amount >= 0
        and total = subtotal + case when tax_inclusive then 0 else tax_amount end`,
    credit_note_set_off_named: 'set_off_amount = 0 or set_off_invoice_id is not null',
    credit_note_settled: `refunded_amount >= 0 and credited_amount >= 0 and written_off_amount >= 0 and set_off_amount >= 0
        and case status
          when 'settled' then refunded_amount + credited_amount + written_off_amount + set_off_amount = total
          when 'failed' then refunded_amount + credited_amount + written_off_amount + set_off_amount = 0
          else refunded_amount + credited_amount + written_off_amount + set_off_amount < total end`,
  }),
  properties: {
    ...tenantColumns('credit_note'),
    invoice: () => p.manyToOne(Invoice).ref().deleteRule('cascade'),
    customer: () => p.manyToOne(Customer).ref().deleteRule('cascade'),
    creditNoteNumber: p.string(),
    issuedAt: instant(),
    status: p.enum(creditNoteStatuses),
    settlement: p.enum(creditNoteSettlements),
    reason: p.enum(creditNoteReasons),
    description: p.text().nullable(),
    /** ISO 4217, upper case: the currency of the invoice. */
    currency: p.string().length(3),
    /** The sum of the lines, in minor units. */
    subtotal: safeInteger(),
    taxAmount: safeInteger(),
    /** Whether the lines contain the tax already. */
    taxInclusive: p.boolean(),
    total: safeInteger(),
    taxType: p.enum(taxTypes).nullable(),
    taxCountry: p.string().length(2).nullable(),
    taxState: p.string().nullable(),
    taxRatePercentage: p.string().nullable(),
    /** The taxes that it reverts; null where the columns above state the only one. */
    taxLines: p.json<readonly TaxLine[]>().nullable().hidden(),
    /** The part that refunds of payments have returned. */
    refundedAmount: safeInteger().default(0),
    /** The part that the customer's credit balance got. */
    creditedAmount: safeInteger().default(0),
    /** The part that was still to be paid and is not any more. */
    writtenOffAmount: safeInteger().default(0),
    /** The part that a later invoice is smaller by. */
    setOffAmount: safeInteger().default(0),
    /** The later invoice that has a line for it. */
    setOffInvoiceId: p.string().nullable(),
    lines: () => p.oneToMany(CreditNoteLine).mappedBy('creditNote').orderBy({ position: 'asc' }),
  },
});

/** A numbered document that reduces a finalized invoice. Only its settlement changes. */
export class CreditNote extends CreditNoteSchema.class {
  get invoiceId(): Opt<string> {
    return this.invoice.id;
  }

  get customerId(): Opt<string> {
    return this.customer.id;
  }

  /** The taxes that it reverts, in the order of its invoice. */
  get taxes(): Opt<readonly TaxLine[]> {
    return this.taxLines ?? onlyTax(this);
  }

  /** Whether a caller has created it. */
  get isChosen(): Opt<boolean> {
    return (chosenReasons as readonly string[]).includes(this.reason);
  }

  /** The part that is settled. */
  get settledAmount(): Opt<number> {
    const { refundedAmount, creditedAmount, writtenOffAmount, setOffAmount } = this;
    return refundedAmount + creditedAmount + writtenOffAmount + setOffAmount;
  }
}
CreditNoteSchema.setClass(CreditNote);
