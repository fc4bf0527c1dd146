import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { organizationColumn, safeInteger } from '#domain/kernel/columns.ts';
import { newId } from '#domain/kernel/ids.ts';
import { CreditNote } from './credit-note.ts';
import { InvoiceLineItem } from './invoice-line-item.ts';

const CreditNoteLineSchema = defineEntity({
  name: 'CreditNoteLine',
  indexes: [
    { name: 'credit_note_line_note', properties: ['creditNote', 'position'] },
    { name: 'credit_note_line_item', properties: ['invoiceLineItem'] },
  ],
  properties: {
    id: p
      .string()
      .primary()
      .onCreate(() => newId('credit_note_line')),
    creditNote: () => p.manyToOne(CreditNote).ref().deleteRule('cascade'),
    organizationId: organizationColumn(),
    position: p.integer(),
    /** The line of the invoice that it reduces; null for a share of the whole invoice. */
    invoiceLineItem: () => p.manyToOne(InvoiceLineItem).ref().nullable().deleteRule('cascade'),
    description: p.text(),
    /** Null where an amount was credited. */
    quantity: p.decimal('number').columnType('numeric').nullable(),
    /** Minor units, in the terms of the invoice's lines: without tax unless they include it. */
    amount: safeInteger(),
    /** The share of the tax; below 0 on a line below 0. */
    taxAmount: safeInteger(),
  },
});

/** One line of a credit note. */
export class CreditNoteLine extends CreditNoteLineSchema.class {
  get invoiceLineItemId(): Opt<string> | null {
    return this.invoiceLineItem?.id ?? null;
  }
}
CreditNoteLineSchema.setClass(CreditNoteLine);
