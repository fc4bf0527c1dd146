import { z } from 'zod';
import { type Line, sumOf } from '#domain/invoicing/billing/open-invoice.ts';
import { DomainError, type Issue, invalidInput } from '#domain/kernel/errors.ts';
import { textInput } from '#domain/kernel/inputs/inputs.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import type { Session } from '#domain/kernel/session.ts';
import { moneyText } from '#domain/kernel/values/currencies.ts';
import { exactNumberInput } from '#domain/kernel/values/decimal.ts';
import { Price } from '#domain/model/catalog/price.ts';

/** The largest number of lines of an invoice by hand. */
const mostLines = 500;

/**
 * The lines of an invoice in the input. A quantity may be a fraction. A price below 0 is a credit or a discount, in whole
 * minor units as all money.
 */
export const linesInput = listInput(
  z.object({
    invoiceId: z.string().nullish(),
    quantity: exactNumberInput,
    priceId: z.string().nullish(),
    description: textInput.nullish(),
    price: z.int(),
  }),
  mostLines,
  1,
);

/**
 * The lines with their references. Errors: BAD_REQUEST for an unknown price, for a price in another currency, and for a
 * sum that is too large or below 0.
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
  const problem = problemOfSum(input, currency);
  if (problem) issues.push({ code: 'OUT_OF_RANGE', path: ['invoiceLineItems'], message: problem });
  if (issues.length > 0) throw new DomainError('BAD_REQUEST', invalidInput, { issues });
  return input.map(({ description, ...line }) => ({ ...line, description: description ?? null }));
}

function problemOfSum(input: z.output<typeof linesInput>, currency: string): string | undefined {
  // Tax may add at most the same amount again.
  const size = input.reduce((sum, line) => sum + Math.abs(sumOf([line])), 0);
  if (!Number.isSafeInteger(2 * size)) return 'exceed the largest possible amount';
  const sum = sumOf(input);
  if (sum >= 0) return undefined;
  return `amount to ${moneyText(sum, currency)}: an invoice cannot be below 0, so reduce the credits and discounts`;
}
