import type { TaxRule } from '#domain/model/catalog/tax.ts';
import type { TaxEngine } from './tax-engine.ts';
import type { TaxSettings } from './tax-settings.ts';

/** The engine `rule`: the one rate in the settings of the organization. */
export const organizationRule: TaxEngine = async (_session, { settings }) => ruleIn(settings);

/** The tax rule in settings; null without one, and for the type `none`. */
export function ruleIn(settings: TaxSettings): TaxRule | null {
  const { taxType, taxRatePercentage, taxInclusive, taxCountry, taxState } = settings;
  if (!taxType || taxType === 'none' || !taxRatePercentage) return null;
  return {
    taxType,
    ratePercentage: taxRatePercentage,
    inclusive: taxInclusive,
    country: taxCountry ?? null,
    state: taxState ?? null,
  };
}
