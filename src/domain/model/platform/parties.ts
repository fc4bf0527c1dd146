/** The kinds of tax ids that the service can check; `other` takes any text. */
export const taxIdTypes = [
  'eu_vat',
  'gb_vat',
  'ch_vat',
  'no_vat',
  'us_ein',
  'ca_gst_hst',
  'au_abn',
  'nz_gst',
  'in_gst',
  'jp_trn',
  'sg_gst',
  'za_vat',
  'br_cnpj',
  'mx_rfc',
  'other',
] as const;

/** A number under which tax authorities know a company. */
export interface TaxId {
  readonly type: (typeof taxIdTypes)[number];
  readonly value: string;
}

/** A postal address as it is stored: with each of its lines. */
export interface StoredAddress {
  readonly name: string | null;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly postal_code: string | null;
  readonly country: string | null;
}

/** The billing address of a customer: a person or department, and where it is. */
export interface CustomerAddress {
  readonly name: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: StoredAddress;
}

/** A bank account as transfers name it. */
export interface BankAccount {
  readonly holder: string | null;
  readonly iban: string;
  readonly bic: string | null;
}

/** An IBAN in groups of four, as people read it. */
export const ibanText = ({ iban }: BankAccount): string => iban.replace(/.{4}(?=.)/g, '$& ');

/** The seller as documents show it. */
interface SellerParty {
  readonly name: string;
  readonly address: StoredAddress | null;
  readonly taxIds: readonly TaxId[];
  readonly logoId: string | null;
  /** Absent on invoices of earlier versions. */
  readonly bankAccount?: BankAccount | null;
}

/** The customer as documents show it. */
export interface CustomerParty {
  readonly name: string;
  readonly email: string;
  readonly address: CustomerAddress | null;
  readonly taxIds: readonly TaxId[];
  /** Absent on invoices of earlier versions. */
  readonly buyerReference?: string | null;
}

/** Seller and customer of an invoice at the instant when it was finalized. The database writes them. */
export interface Parties {
  readonly seller: SellerParty;
  readonly customer: CustomerParty;
}

/** The facts about taxes that a customer enters on the page of a checkout. */
export interface EnteredTaxFacts {
  readonly billingAddress: CustomerAddress | null;
  readonly taxIds: readonly TaxId[];
}
