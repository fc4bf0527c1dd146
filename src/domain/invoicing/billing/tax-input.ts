import { z } from 'zod';
import type { TaxSettings } from '#domain/catalog/taxing/tax-settings.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { countryInput } from '#domain/kernel/inputs/countries.ts';
import { labelInput } from '#domain/kernel/inputs/inputs.ts';
import { ratePattern, taxTypes } from '#domain/model/catalog/tax.ts';

/** The tax fields of an input. */
export const taxFields = {
  taxType: z.enum(taxTypes).nullish(),
  taxRatePercentage: z
    .string()
    .regex(ratePattern, 'must be a decimal number from 0 to 100 with at most 4 decimal places')
    .nullish(),
  taxInclusive: z.boolean().nullish(),
  taxCountry: countryInput.nullish(),
  taxState: labelInput.nullish(),
};

/** Checks that a tax type has a rate and a rate has a type. Errors: BAD_REQUEST for the missing field. */
export function checkTax(
  record: string,
  { taxType, taxRatePercentage }: Pick<TaxSettings, 'taxType' | 'taxRatePercentage'>,
) {
  if (taxType && taxType !== 'none' && !taxRatePercentage) {
    throw invalid(
      'REQUIRED',
      `${record}.taxRatePercentage`,
      `is required where the tax is ${taxType}`,
    );
  }
  if (!taxType && taxRatePercentage) {
    throw invalid('REQUIRED', `${record}.taxType`, 'is required where there is a rate');
  }
}

/**
 * Checks that a customer that accounts for VAT itself has a number, which its invoices must state. Errors: BAD_REQUEST
 * for the missing numbers.
 */
export function checkExemption({
  taxExempt,
  taxIds,
}: {
  readonly taxExempt?: string | null | undefined;
  readonly taxIds?: readonly unknown[] | null | undefined;
}) {
  if (taxExempt !== 'reverse' || (taxIds ?? []).length > 0) return;
  throw invalid('REQUIRED', 'customer.taxIds', 'are required where taxExempt is reverse');
}
