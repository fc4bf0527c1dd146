import { z } from 'zod';
import { coded, exactlyOne } from '#domain/kernel/inputs/input-issues.ts';
import { countInput, textInput } from '#domain/kernel/inputs/inputs.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import { positiveDecimalInput } from '#domain/kernel/values/decimal.ts';
import { chosenReasons } from '#domain/model/invoicing/credit-note.ts';

const mostLines = 500;

const lineInput = z
  .object({
    invoiceLineItemId: z.string(),
    quantity: positiveDecimalInput.nullish(),
    amount: countInput.nullish(),
  })
  .refine(...exactlyOne(['quantity', 'amount']));

export const createCreditNoteInput = z.object({
  creditNote: z
    .object({
      invoiceId: z.string(),
      whole: z.boolean().nullish(),
      amount: countInput.nullish(),
      lines: listInput(lineInput, mostLines, 1).nullish(),
      settle: z.enum(['refund', 'credit', 'write_off']),
      reason: z.enum(chosenReasons),
      description: textInput.nullish(),
    })
    .refine(
      ({ whole, amount, lines }) =>
        [whole || null, amount, lines].filter((of) => of != null).length === 1,
      coded('INVALID', [], 'must have exactly one of whole, amount and lines'),
    ),
});

export type CreditNoteInput = z.output<typeof createCreditNoteInput>['creditNote'];
