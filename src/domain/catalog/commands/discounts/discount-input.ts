import { z } from 'zod';
import { decimalInput } from '#domain/catalog/pricing-input.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import { countInput, instantInput, keptText, nameInput } from '#domain/kernel/inputs/inputs.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import { currencyInput } from '#domain/kernel/values/currencies.ts';
import { unitsOf } from '#domain/kernel/values/decimal.ts';
import { discountAmountTypes, discountDurations } from '#domain/model/catalog/discount.ts';

/** A code in upper case; lower-case letters are accepted. */
const codeInput = keptText(255)
  .trim()
  .toUpperCase()
  .refine(
    (code) => /^[A-Z0-9_-]{2,64}$/.test(code),
    coded(
      'INVALID',
      [],
      'must be 2 to 64 letters, digits, hyphens and underscores, such as WELCOME-20',
    ),
  );

const places = 4;
const largest = unitsOf(String(Number.MAX_SAFE_INTEGER));

/** A percentage or minor units, as a number or as its decimal text. */
const sizeInput = z
  .union([z.number(), z.string()])
  .transform(String)
  .pipe(
    decimalInput(
      (units) => units > 0n && units <= largest,
      `must be above 0: a percentage of at most ${places} places, or whole minor units`,
      places,
    ),
  )
  .transform(Number);

/** The most months of a discount: a hundred years. */
const mostMonths = 1_200;

/** The fields of a discount. */
export const discountFields = {
  name: nameInput,
  code: codeInput,
  amount: sizeInput,
  amountType: z.enum(discountAmountTypes),
  currency: currencyInput,
  duration: z.enum(discountDurations),
  numberOfPayments: countInput,
  numberOfMonths: countInput.max(mostMonths),
  active: z.boolean(),
  redemptionLimit: countInput,
  redemptionLimitPerCustomer: countInput,
  expiresAt: instantInput,
};

/** The fields that depend on one another, as they are given or stored. */
interface Variant {
  readonly amountType: (typeof discountAmountTypes)[number];
  readonly amount: number;
  readonly duration: (typeof discountDurations)[number];
  readonly currency?: string | null | undefined;
  readonly numberOfPayments?: number | null | undefined;
  readonly numberOfMonths?: number | null | undefined;
}

/** The field that each of these durations needs, and that the others refuse. */
const lengths = {
  number_of_payments: 'numberOfPayments',
  number_of_months: 'numberOfMonths',
} as const;

/** The contradictions in the fields of a discount: the code, the field, and the next step. */
export function contradictionsOf(variant: Variant): [IssueCode, string, string][] {
  const { amountType, amount, duration, currency } = variant;
  const issues: [IssueCode, string, string][] = [];
  if (amountType === 'percent' && currency != null) {
    const message = 'must be left out for a percentage: it applies in every currency';
    issues.push(['NOT_ALLOWED', 'currency', message]);
  }
  if (amountType === 'fixed' && !Number.isInteger(amount)) {
    const message = 'must be whole minor units for a fixed amount: only a percentage has places';
    issues.push(['INVALID', 'amount', message]);
  }
  for (const [of, field] of Object.entries(lengths)) {
    const isGiven = variant[field] != null;
    if (duration === of && !isGiven) {
      issues.push(['REQUIRED', field, `must be given where duration is ${of}`]);
    }
    if (duration !== of && isGiven) {
      issues.push(['NOT_ALLOWED', field, `must be left out where duration is ${duration}`]);
    }
  }
  return issues;
}
