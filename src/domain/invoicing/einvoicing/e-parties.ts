import type {
  CustomerParty,
  Parties,
  StoredAddress,
  TaxId,
} from '#domain/model/platform/parties.ts';
import type { EParty } from './e-invoice.ts';

/** The VAT number of a company with the prefix of its country; undefined without one. */
export function vatIdOf(ids: readonly TaxId[]): string | undefined {
  for (const { type, value } of ids) {
    if (type === 'eu_vat' || type === 'gb_vat' || type === 'ch_vat') return value;
    if (type === 'no_vat') return `NO${value}`;
  }
  return undefined;
}

interface Options {
  /** Whether VAT numbers are stated: a document that is not subject to VAT must have none. */
  readonly isVat: boolean;
}

export function sellerOf({ seller }: Parties, { isVat }: Options): EParty {
  const vatId = isVat ? vatIdOf(seller.taxIds) : undefined;
  const party = partyOf(seller.name, seller.address, vatId, null);
  return { ...party, id: vatId ? null : (seller.taxIds[0]?.value ?? null) };
}

export function buyerOf({ customer }: Parties, { isVat }: Options): EParty {
  const vatId = isVat ? vatIdOf(customer.taxIds) : undefined;
  const { address } = customer;
  const email = address?.email || customer.email;
  return partyOf(buyerName(customer), address?.address ?? null, vatId, email);
}

const buyerName = ({ name, address }: CustomerParty) => address?.name || name;

const partyOf = (
  name: string,
  address: StoredAddress | null,
  vatId: string | undefined,
  email: string | null,
): EParty => ({
  id: null,
  name,
  line1: address?.line1 ?? null,
  line2: address?.line2 ?? null,
  city: address?.city ?? null,
  postalCode: address?.postal_code ?? null,
  state: address?.state ?? null,
  country: address?.country ?? '',
  vatId: vatId ?? null,
  email,
});
