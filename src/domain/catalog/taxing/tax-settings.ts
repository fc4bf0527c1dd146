import type { TaxRule } from '#domain/model/catalog/tax.ts';

/** The tax settings of an organization, or of one of its customers. */
export interface TaxSettings {
  /** Null where none is set. */
  taxType?: TaxRule['taxType'] | null | undefined;
  taxRatePercentage?: string | null | undefined;
  taxInclusive: boolean;
  taxCountry?: string | null | undefined;
  taxState?: string | null | undefined;
}
