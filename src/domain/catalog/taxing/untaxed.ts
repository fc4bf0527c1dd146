import type { AppliedRate, TaxRule } from '#domain/model/catalog/tax.ts';

/** The reason that documents state where the customer accounts for VAT. */
const reverseChargeReason =
  'Reverse charge: the customer is liable for the VAT (Article 196 of Directive 2006/112/EC)';

const exemptReason = 'The customer is exempt from tax';

/** The rule by which all lines are without tax, for a reason that documents state. */
function untaxed(rate: Pick<AppliedRate, 'name' | 'category' | 'reason' | 'country'>): TaxRule {
  const { country } = rate;
  const place = { taxType: 'vat' as const, ratePercentage: '0', country, state: null };
  return {
    ...place,
    inclusive: false,
    groups: [{ weight: 1, rates: [{ ...rate, ...place, compound: false }] }],
  };
}

/** The rule of a customer that accounts for VAT itself. */
export const reverseCharge = (country: string | null): TaxRule =>
  untaxed({ name: 'Reverse charge', category: 'AE', reason: reverseChargeReason, country });

/** The rule of a customer that is exempt from tax. */
export const exempt = (country: string | null): TaxRule =>
  untaxed({ name: 'Exempt', category: 'E', reason: exemptReason, country });
