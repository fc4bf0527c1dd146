import type { TaxLine } from '#domain/model/catalog/tax.ts';

/** A party by the terms of EN 16931. */
export interface EParty {
  readonly name: string;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly city: string | null;
  readonly postalCode: string | null;
  readonly state: string | null;
  /** ISO 3166-1. */
  readonly country: string;
  /** Another identifier, where no VAT identifier is stated; null for a buyer. */
  readonly id: string | null;
  /** The VAT identifier, with the prefix of its country; null where there is none or no VAT applies. */
  readonly vatId: string | null;
  readonly email: string | null;
}

/** The VAT category of a line, an allowance or a sum, with the rate in percent; null for what is not subject to VAT. */
export interface ECategory {
  readonly category: TaxLine['category'];
  readonly rate: string | null;
}

/** A line. Amounts are in minor units without VAT. */
export interface ELine extends ECategory {
  readonly name: string;
  /** A decimal; below 0 for a credit. */
  readonly quantity: string;
  /** Minor units for a quantity of 1, 0 or more. */
  readonly price: number;
  readonly amount: number;
}

/** An allowance or a charge on the document, in minor units of 0 or more, without VAT. */
export interface EAllowance extends ECategory {
  readonly isCharge: boolean;
  readonly amount: number;
  readonly reason: string;
}

/** The VAT of one category and rate, in minor units. */
export interface EVat extends ECategory {
  readonly base: number;
  readonly amount: number;
  /** Why there is no VAT. */
  readonly reason: string | null;
}

/** The sums of a document, in minor units. */
interface ETotals {
  readonly lines: number;
  readonly allowances: number;
  readonly charges: number;
  readonly net: number;
  readonly vat: number;
  readonly gross: number;
  readonly paid: number;
  readonly due: number;
}

/** An invoice or credit note by the semantic model of EN 16931, before it is written in a syntax. */
export interface EInvoice {
  readonly isCreditNote: boolean;
  readonly number: string;
  readonly issuedAt: Date;
  readonly dueAt: Date | null;
  readonly currency: string;
  readonly note: string | null;
  readonly buyerReference: string | null;
  /** The invoice that a credit note reduces. */
  readonly preceding: { readonly number: string; readonly issuedAt: Date } | null;
  /** The billing period, with its last day. */
  readonly period: { readonly from: Date; readonly to: Date } | null;
  readonly seller: EParty;
  readonly buyer: EParty;
  readonly account: {
    readonly iban: string;
    readonly bic: string | null;
    readonly holder: string | null;
  } | null;
  readonly terms: string | null;
  readonly lines: readonly ELine[];
  readonly allowances: readonly EAllowance[];
  readonly vat: readonly EVat[];
  readonly totals: ETotals;
}

/** A field that a document lacks, or that the standard cannot state. */
export interface EProblem {
  /** The field to change, such as `organization.address`. */
  readonly field: string;
  readonly message: string;
}
