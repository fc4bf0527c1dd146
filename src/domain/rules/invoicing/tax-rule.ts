import type { Customer } from '#domain/customers/customer.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import type { TaxRule } from '#domain/invoices/tax.ts';
import type { Session } from '#domain/kernel/session.ts';
import { settingsOf } from '#domain/rules/reads/settings-of.ts';

/**
 * The tax rule of a customer: its own, else that of the organization, else none. `none` is a rule, too, which adds no
 * tax.
 */
export async function taxRuleOf(session: Session, customer: Customer): Promise<TaxRule | null> {
  const { taxType, taxRatePercentage, taxInclusive, taxCountry, taxState } = customer.taxType
    ? customer
    : await settingsOf(session);
  if (!taxType || taxType === 'none' || !taxRatePercentage) return null;
  return {
    taxType,
    ratePercentage: taxRatePercentage,
    inclusive: taxInclusive,
    country: taxCountry ?? null,
    state: taxState ?? null,
  };
}

/** The tax rule of an invoice, which keeps the rule of the time when it was written. */
export function taxRuleOn({
  taxType,
  taxRatePercentage,
  taxInclusive: inclusive,
  taxCountry,
  taxState,
}: Invoice): TaxRule | null {
  if (!taxType || !taxRatePercentage) return null;
  const [country, state] = [taxCountry ?? null, taxState ?? null];
  return { taxType, ratePercentage: taxRatePercentage, inclusive, country, state };
}
