import type { Customer } from '#domain/customers/customer.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import type { TaxRule } from '#domain/invoices/tax.ts';
import type { Session } from '#domain/kernel/session.ts';
import { settingsOf } from '#domain/rules/locks/settings-of.ts';

/**
 * How a customer is taxed: by its own rule, else by that of the organization, else not at all. `none` is a
 * rule, too: the one by which nothing is added.
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
