import { z } from 'zod';
import { DomainError, type Issue, invalidInput } from '#domain/kernel/errors.ts';
import { amountInput, textInput } from '#domain/kernel/inputs.ts';
import { listInput } from '#domain/kernel/list-input.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/prices/price.ts';
import { type Line, sumOf } from '#domain/rules/invoicing/open-invoice.ts';

/** The largest number of lines of an invoice by hand. */
export const mostLines = 500;

/** The lines of an invoice in the input. */
export const linesInput = listInput(
  z.object({
    invoiceId: z.string().nullish(),
    quantity: amountInput,
    priceId: z.string().nullish(),
    description: textInput.nullish(),
    price: amountInput,
  }),
  mostLines,
  1,
);

/** The lines with their references. Errors: BAD_REQUEST for an unknown price and for a sum that is too large. */
export async function linesOf(
  { em }: Session,
  input: z.output<typeof linesInput>,
): Promise<Line[]> {
  const ids = input.flatMap(({ priceId }) => priceId ?? []);
  const known = new Set((await em.find(Price, { id: { $in: ids } })).map(({ id }) => id));
  const issues: Issue[] = input.flatMap(({ priceId }, index) =>
    priceId == null || known.has(priceId)
      ? []
      : [
          {
            code: 'NOT_FOUND' as const,
            path: ['invoiceLineItems', index, 'priceId'],
            message: `Unknown price ${priceId}`,
          },
        ],
  );
  // Tax may add at most the same amount again.
  if (!Number.isSafeInteger(2 * sumOf(input))) {
    issues.push({
      code: 'OUT_OF_RANGE',
      path: ['invoiceLineItems'],
      message: 'exceed the largest possible amount',
    });
  }
  if (issues.length > 0) throw new DomainError('BAD_REQUEST', invalidInput, { issues });
  return input.map(({ description, ...line }) => ({ ...line, description: description ?? null }));
}
