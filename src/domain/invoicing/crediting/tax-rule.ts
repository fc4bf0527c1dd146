import { organizationRule, ruleIn } from '#domain/catalog/taxing/organization-rule.ts';
import { rateTable } from '#domain/catalog/taxing/rate-table.ts';
import type { Taxable, TaxEngine } from '#domain/catalog/taxing/tax-engine.ts';
import { taxService } from '#domain/catalog/taxing/tax-service.ts';
import { exempt, reverseCharge } from '#domain/catalog/taxing/untaxed.ts';
import type { Session } from '#domain/kernel/session.ts';
import { amountOfItem, type ChargedItem } from '#domain/model/catalog/cost.ts';
import type { AppliedRate, TaxLine, TaxRule, taxEngines } from '#domain/model/catalog/tax.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';

/** The adapters of the port, by the setting `taxEngine`. */
const engines: Readonly<Record<(typeof taxEngines)[number], TaxEngine>> = {
  rule: organizationRule,
  rates: rateTable,
  service: taxService,
};

/** The facts about a customer that decide its tax. One who is not known yet has none of its own. */
export type TaxedCustomer = Pick<
  Customer,
  | 'taxExempt'
  | 'billingAddress'
  | 'taxIds'
  | 'taxType'
  | 'taxRatePercentage'
  | 'taxInclusive'
  | 'taxCountry'
  | 'taxState'
> &
  Partial<Pick<Customer, 'externalId' | 'currency'>>;

/** A customer who is not known yet. */
export const noCustomer: TaxedCustomer = {
  taxExempt: 'none',
  billingAddress: null,
  taxIds: [],
  taxType: null,
  taxRatePercentage: null,
  taxInclusive: false,
  taxCountry: null,
  taxState: null,
};

/**
 * The tax rule of a customer for some lines: its exemption, else its own rule, else that of the tax engine of the
 * organization. Null for no tax. `none` is a rule of its own, too, which adds no tax. `given` is the currency of the
 * lines, for a customer without one.
 */
export async function taxRuleOf(
  session: Session,
  customer: TaxedCustomer,
  lines: readonly Taxable[] = [],
  given?: string,
): Promise<TaxRule | null> {
  const country = customer.billingAddress?.address.country ?? null;
  if (customer.taxExempt === 'exempt') return exempt(country);
  if (customer.taxExempt === 'reverse') return reverseCharge(country);
  if (customer.taxType) return ruleIn(customer);
  const settings = await settingsOf(session);
  const currency = customer.currency ?? given;
  return engines[settings.taxEngine as keyof typeof engines](session, {
    customer,
    settings,
    currency,
    lines,
  });
}

/** The items of a plan as they are taxed. */
export const taxedItems = (
  items: Iterable<ChargedItem & { readonly priceId?: string | null | undefined }>,
): Taxable[] =>
  Array.from(items, (item) => ({ amount: amountOfItem(item), priceId: item.priceId }));

/** The tax rule of an invoice, which keeps the rule of the time when it was written. */
export function taxRuleOn(invoice: Invoice): TaxRule | null {
  const { taxType, taxRatePercentage, taxInclusive: inclusive, taxLines } = invoice;
  const [country, state] = [invoice.taxCountry ?? null, invoice.taxState ?? null];
  const rule = { inclusive, country, state, ratePercentage: taxRatePercentage ?? '0' };
  if (taxLines)
    return { ...rule, taxType: taxType ?? 'none', groups: groupsOf(taxLines, inclusive) };
  if (!taxType || !taxRatePercentage) return null;
  return { ...rule, taxType };
}

/** The groups of the taxes of an invoice. */
function groupsOf(taxLines: readonly TaxLine[], inclusive: boolean) {
  const groups: { weight: number; rates: AppliedRate[] }[] = [];
  for (const { group, base, amount, ...rate } of taxLines) {
    // The first rate of a group is on its lines alone.
    groups[group] ??= { weight: base, rates: [] };
    groups[group].rates.push(rate);
    if (inclusive) groups[group].weight += amount;
  }
  return groups;
}
