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

/**
 * The lines with their references. Errors: BAD_REQUEST for an unknown price, for a price in another currency, and for a
 * sum that is too large.
 */
export async function linesOf(
  { em }: Session,
  input: z.output<typeof linesInput>,
  currency: string,
): Promise<Line[]> {
  const ids = input.flatMap(({ priceId }) => priceId ?? []);
  const known = new Map((await em.find(Price, { id: { $in: ids } })).map((one) => [one.id, one]));
  const issues: Issue[] = input.flatMap(({ priceId }, index) => {
    if (priceId == null) return [];
    const path = ['invoiceLineItems', index, 'priceId'];
    const price = known.get(priceId);
    if (!price) return { code: 'NOT_FOUND' as const, path, message: `Unknown price ${priceId}` };
    if (price.unitPrice === 0 || price.currency === currency) return [];
    const message = `is in ${price.currency}, and the invoice is in ${currency}: use a price in ${currency}, or none`;
    return { code: 'MISMATCH' as const, path, message };
  });
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
