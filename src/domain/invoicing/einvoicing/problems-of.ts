import { digitsOf } from '#domain/kernel/values/currencies.ts';
import type { TaxLine } from '#domain/model/catalog/tax.ts';
import type { Parties } from '#domain/model/platform/parties.ts';
import type { EProblem } from './e-invoice.ts';
import { vatIdOf } from './e-parties.ts';

interface Described {
  readonly parties: Parties | null | undefined;
  readonly taxes: readonly TaxLine[];
  readonly currency: string;
  readonly amounts: readonly number[];
}

/** The fields that a finalized document lacks for EN 16931, and those that the standard cannot state. */
export function problemsOf({ parties, taxes, currency, amounts }: Described): EProblem[] {
  if (!parties) return [];
  const problems: EProblem[] = [];
  const { seller, customer } = parties;
  const later = 'and finalize the next invoice: this one keeps its parties';
  if (!seller.address) {
    problems.push({ field: 'organization.address', message: `is missing: set it, ${later}` });
  }
  if (!customer.address) {
    problems.push({ field: 'customer.billingAddress', message: `is missing: set it, ${later}` });
  }
  const isVat = taxes.length > 0 && taxes.some(({ category }) => category !== 'O');
  if (isVat && !vatIdOf(seller.taxIds)) {
    const message = `has no VAT number (eu_vat, gb_vat, ch_vat or no_vat): set one, ${later}`;
    problems.push({ field: 'organization.taxIds', message });
  }
  if (!isVat && seller.taxIds.length === 0) {
    const message = `has no number, by which the standard identifies the seller: set one, ${later}`;
    problems.push({ field: 'organization.taxIds', message });
  }
  if (taxes.some(({ category }) => category === 'AE') && !vatIdOf(customer.taxIds)) {
    const message = `has no VAT number, which reverse charge requires: set one, ${later}`;
    problems.push({ field: 'customer.taxIds', message });
  }
  const other = taxes.find(({ taxType }) => taxType !== 'vat');
  if (other) {
    const message = `has ${other.name}, and the standard states VAT only`;
    problems.push({ field: 'invoice.taxes', message });
  }
  if (taxes.length > new Set(taxes.map(({ group }) => group)).size) {
    const message =
      'has several taxes on the same lines, and the standard states one rate for each';
    problems.push({ field: 'invoice.taxes', message });
  }
  const isMixed = new Set(taxes.map(({ category }) => category)).size > 1;
  if (isMixed && taxes.some(({ category }) => category === 'O')) {
    const message =
      'has lines that are not subject to VAT next to others, which the standard refuses';
    problems.push({ field: 'invoice.taxes', message });
  }
  if (digitsOf(currency) > 2 && amounts.some((amount) => amount % 10 !== 0)) {
    const message = `is ${currency} with a third decimal place, and the standard states two`;
    problems.push({ field: 'invoice.currency', message });
  }
  return problems;
}
