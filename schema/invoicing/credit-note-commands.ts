import { createCreditNote } from '#domain/invoicing/commands/credit-notes/create-credit-note.ts';
import { createCreditNoteInput } from '#domain/invoicing/commands/credit-notes/credit-note-input.ts';
import { CreditNote, chosenReasons } from '#domain/model/invoicing/credit-note.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { id, nullable, of } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';

const ChosenReason = builder.enumType('ChosenCreditNoteReason', {
  description: 'The reason of a credit note that you create.',
  values: described(chosenReasons, {
    duplicate: 'The invoice or payment was a duplicate.',
    fraudulent: 'The purchase was fraudulent.',
    order_change: 'The order changed.',
    product_unsatisfactory: 'The customer was not satisfied.',
    requested_by_customer: 'The customer asked for it.',
    uncollectible: 'The amount cannot be collected.',
    other: 'Another reason.',
  }),
});

const Settle = builder.enumType('SettleCreditNote', {
  description: 'How to settle a credit note.',
  values: described(['refund', 'credit', 'write_off'] as const, {
    refund: 'Refund payments of the invoice, the latest first.',
    credit: 'Credit the customer’s balance.',
    write_off: 'Write off what is due.',
  }),
});

const LineInput = input('CreditNoteLineInput', {
  description: 'One line of an invoice to credit, by quantity or by amount.',
  fields: {
    invoiceLineItemId: id('The line of the invoice.'),
    quantity: nullable.decimal('The quantity, at most the rest of the line.'),
    amount: nullable.safeInt(
      'The amount in minor units, at most the rest of the line; with tax only if the lines include it.',
    ),
  },
});

const CreateCreditNote = input('CreateCreditNoteInput', {
  description: 'A new credit note. It is for exactly one of `whole`, `amount` and `lines`.',
  fields: {
    invoiceId: id('The finalized invoice.'),
    whole: nullable.flag('True for the whole invoice, or what is left of it.'),
    amount: nullable.safeInt('An amount with its tax, in minor units.'),
    lines: nullable.of([LineInput], 'Lines of the invoice, 1 to 500.'),
    settle: of(Settle, 'How to settle it.'),
    reason: of(ChosenReason, 'The reason.'),
    description: nullable.text('The reason in words; it is on the document.'),
  },
});

mutation('createCreditNote', {
  returns: [CreditNote, 'The new credit note.'],
  extensions: { inSteps: true },
  description:
    'Creates a credit note for a finalized invoice and settles it. It cannot be changed or voided; a correction is another document. Errors: NOT_FOUND; BAD_REQUEST for a draft or void invoice, and for more than is left of the invoice or can be settled that way.',
  args: { creditNote: of(CreateCreditNote, 'The credit note.') },
  input: createCreditNoteInput,
  command: createCreditNote,
});
