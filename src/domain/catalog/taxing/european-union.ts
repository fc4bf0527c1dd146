import type { TaxId } from '#domain/model/platform/parties.ts';

/** The member states by ISO 3166-1. */
const members = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/** Whether a country is a member state of the European Union. */
export const isMember = (country: string | null | undefined): country is string =>
  country != null && members.has(country);

/** The member state that has issued a VAT number; undefined for other numbers, also of Northern Ireland. */
function memberState({ type, value }: TaxId): string | undefined {
  if (type !== 'eu_vat') return undefined;
  const prefix = value.slice(0, 2);
  const country = prefix === 'EL' ? 'GR' : prefix;
  return isMember(country) ? country : undefined;
}

/**
 * Whether the customer of a service accounts for its VAT: seller and customer are registered for VAT in different
 * member states. The numbers are valid in their form and check digits, and not looked up.
 */
export function crossesBorder(
  seller: { readonly country: string | null | undefined; readonly taxIds: readonly TaxId[] },
  customer: { readonly country: string | null | undefined; readonly taxIds: readonly TaxId[] },
): boolean {
  if (!isMember(seller.country) || !isMember(customer.country)) return false;
  if (seller.country === customer.country) return false;
  const isRegistered = seller.taxIds.some((id) => memberState(id) !== undefined);
  return (
    isRegistered &&
    customer.taxIds.some((id) => ![undefined, seller.country].includes(memberState(id)))
  );
}
