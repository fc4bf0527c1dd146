import { z } from 'zod';
import { currencyInput } from '#domain/kernel/currencies.ts';
import { coded } from '#domain/kernel/input-issues.ts';
import { countInput, instantInput, keptText, nameInput } from '#domain/kernel/inputs.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import { discountAmountTypes, discountDurations } from './discount.ts';

/** A code in upper case; lower-case letters are accepted. */
const codeInput = keptText(255)
  .trim()
  .toUpperCase()
  .refine(
    (code) => /^[A-Z0-9]{3,20}$/.test(code),
    coded('INVALID', [], 'must be 3 to 20 letters and digits, such as WELCOME20'),
  );

/** The fields of a discount. */
export const discountFields = {
  name: nameInput,
  code: codeInput,
  amount: countInput,
  amountType: z.enum(discountAmountTypes),
  currency: currencyInput,
  duration: z.enum(discountDurations),
  numberOfPayments: countInput,
  active: z.boolean(),
  redemptionLimit: countInput,
  expiresAt: instantInput,
};

/** The fields that depend on one another, as they are given or stored. */
interface Variant {
  readonly amountType: (typeof discountAmountTypes)[number];
  readonly duration: (typeof discountDurations)[number];
  readonly currency?: string | null | undefined;
  readonly numberOfPayments?: number | null | undefined;
}

/** The contradictions in the fields of a discount: the code, the field, and the next step. */
export function contradictionsOf(variant: Variant): [IssueCode, string, string][] {
  const { amountType, duration, currency, numberOfPayments } = variant;
  const issues: [IssueCode, string, string][] = [];
  if (amountType === 'percent' && currency != null) {
    const message = 'must be left out for a percentage: it applies in every currency';
    issues.push(['NOT_ALLOWED', 'currency', message]);
  }
  if (duration === 'number_of_payments' && numberOfPayments == null) {
    const message = 'must be given where duration is number_of_payments';
    issues.push(['REQUIRED', 'numberOfPayments', message]);
  }
  if (duration !== 'number_of_payments' && numberOfPayments != null) {
    const message = `must be left out where duration is ${duration}`;
    issues.push(['NOT_ALLOWED', 'numberOfPayments', message]);
  }
  return issues;
}
