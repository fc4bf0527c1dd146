import { dayText } from '../../parts/texts/days.ts';
import { countryName } from '../../parts/texts/tax-texts.ts';
import type { TaxRatesQuery, TaxSettingsQuery } from './taxes.generated.ts';

export type TaxedOrganization = NonNullable<TaxSettingsQuery['organization']>;
export type TaxRate = TaxRatesQuery['taxRates']['nodes'][number];

/** The place of a rate, such as "Canada, QC". */
export const placeText = ({ country, state, postalPrefix }: TaxRate) =>
  [countryName(country), state, postalPrefix && `${postalPrefix}…`].filter(Boolean).join(', ');

const kinds = { any: '', business: 'Businesses', consumer: 'Consumers' } as const;

/** The products and customers of a rate. */
export const scopeText = ({ taxCode, customerKind }: TaxRate) =>
  [taxCode && `Code ${taxCode}`, kinds[customerKind]].filter(Boolean).join(', ') || 'All';

/** Whether a rate has ended. */
export const isOver = ({ validUntil }: TaxRate, now: number) =>
  validUntil !== null && validUntil <= now;

/** When a rate applies. */
export function validityText({ validFrom, validUntil }: TaxRate, now: number): string {
  if (validUntil !== null && validUntil <= now) return `Ended ${dayText(validUntil)}`;
  const end = validUntil === null ? '' : `until ${dayText(validUntil)}`;
  if (validFrom !== null && validFrom > now)
    return [`From ${dayText(validFrom)}`, end].filter(Boolean).join(' ');
  return end ? `Now, ${end}` : 'Now';
}
