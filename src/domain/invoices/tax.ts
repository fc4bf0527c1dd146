import { halfUp } from '#domain/kernel/decimal.ts';

/** The types of tax; `none` charges no tax, also to a customer whose organization has a tax rule. */
export const taxTypes = [
  'amusement_tax',
  'communications_tax',
  'gst',
  'hst',
  'igst',
  'jct',
  'lease_tax',
  'pst',
  'qst',
  'rst',
  'sales_tax',
  'vat',
  'none',
] as const;

/** The tax rule of a customer. */
export interface TaxRule {
  readonly taxType: (typeof taxTypes)[number];
  /** A decimal number of up to four places, such as 8.875. */
  readonly ratePercentage: string;
  /** Whether prices contain the tax already. */
  readonly inclusive: boolean;
  readonly country: string | null;
  readonly state: string | null;
}

export interface Amounts {
  readonly subtotal: number;
  readonly taxAmount: number;
  readonly total: number;
}

/** The form of a rate: 0 to 100 with up to four places. */
export const ratePattern = /^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/;

const scale = 10_000n;

/**
 * The amounts of a sum of line items with its tax, in minor units. They are exact up to one rounding, half up, of the
 * tax of the whole invoice. Exclusive tax is added to the lines; inclusive tax is the part of them that is `rate /
 * (100 + rate)`.
 */
export function amountsOf(lines: number, rule: TaxRule | null): Amounts {
  const rate = rule && rule.taxType !== 'none' ? rateOf(rule.ratePercentage) : 0n;
  const hundred = 100n * scale;
  const taxAmount = rule?.inclusive
    ? halfUp(BigInt(lines) * rate, hundred + rate)
    : halfUp(BigInt(lines) * rate, hundred);
  return { subtotal: lines, taxAmount, total: lines + (rule?.inclusive ? 0 : taxAmount) };
}

/** A percentage times 10,000, exactly. */
function rateOf(text: string): bigint {
  const [whole = '0', places = ''] = text.split('.');
  return BigInt(whole) * scale + BigInt(places.padEnd(4, '0'));
}
