import { z } from 'zod';
import { countryInput } from '#domain/kernel/inputs/countries.ts';
import { instantInput, keptText, nameInput, taxCodeInput } from '#domain/kernel/inputs/inputs.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import { ratePattern, taxCategories, taxTypes } from '#domain/model/catalog/tax.ts';
import { customerKinds } from '#domain/model/catalog/tax-rate.ts';

const placeInput = keptText(64).trim().min(1);

/** The fields of a tax rate. */
export const taxRateFields = {
  name: nameInput,
  taxType: z
    .enum(taxTypes)
    .refine((type): boolean => type !== 'none', 'must be a tax: omit the rate'),
  ratePercentage: z
    .string()
    .regex(ratePattern, 'must be a decimal number from 0 to 100 with at most 4 decimal places'),
  country: countryInput,
  state: placeInput,
  postalPrefix: keptText(10).trim().min(1),
  taxCode: taxCodeInput,
  customerKind: z.enum(customerKinds),
  compound: z.boolean(),
  category: z.enum(taxCategories),
  reason: keptText(500).trim().min(1),
  validFrom: instantInput,
  validUntil: instantInput,
};

interface Dependent {
  readonly ratePercentage: string;
  readonly category?: (typeof taxCategories)[number] | null | undefined;
  readonly reason?: string | null | undefined;
  readonly validFrom?: Date | null | undefined;
  readonly validUntil?: Date | null | undefined;
}

/** The contradictions in the fields of a tax rate: the code, the field, and the next step. */
export function contradictionsOf(rate: Dependent): [IssueCode, string, string][] {
  const { ratePercentage, category, reason, validFrom, validUntil } = rate;
  const issues: [IssueCode, string, string][] = [];
  const isTaxed = Number(ratePercentage) > 0;
  if (category && isTaxed !== (category === 'S')) {
    const message = isTaxed ? 'must be S for a rate above 0' : 'must not be S for a rate of 0';
    issues.push(['INVALID', 'category', message]);
  }
  if (category && ['E', 'AE', 'G', 'O'].includes(category) && !reason) {
    const message = `must be given for the category ${category}: documents state it`;
    issues.push(['REQUIRED', 'reason', message]);
  }
  if (validFrom && validUntil && validFrom >= validUntil) {
    issues.push(['OUT_OF_RANGE', 'validUntil', 'must be after validFrom']);
  }
  return issues;
}

/** The usual category of a rate: taxed, or zero-rated. */
export const usualCategory = (ratePercentage: string) =>
  Number(ratePercentage) > 0 ? ('S' as const) : ('Z' as const);
