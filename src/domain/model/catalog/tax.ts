import { halfUp, proportion } from '#domain/kernel/values/decimal.ts';

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

/** Whether a customer pays tax: as others do, not at all, or itself to its tax authority. */
export const taxExemptions = ['none', 'exempt', 'reverse'] as const;

/** The engines that compute taxes: the one rule of the organization, the tax rates by place, or a service over HTTP. */
export const taxEngines = ['rule', 'rates', 'service'] as const;

/** The VAT categories of EN 16931, by the codes of UNTDID 5305. */
export const taxCategories = ['S', 'Z', 'E', 'AE', 'G', 'O'] as const;

/** One tax at one place. */
export interface AppliedRate {
  /** The name on documents, such as «GST». */
  readonly name: string;
  readonly taxType: (typeof taxTypes)[number];
  /** A decimal number of up to four places, such as 8.875. */
  readonly ratePercentage: string;
  readonly country: string | null;
  readonly state: string | null;
  /** Whether the taxes before it are part of its base. */
  readonly compound: boolean;
  readonly category: (typeof taxCategories)[number];
  /** Why there is no tax, for documents. */
  readonly reason: string | null;
}

/** Lines with the same rates. */
interface TaxGroup {
  /** Their amount, in minor units; any amount is spread over the groups of a rule in proportion to it. */
  readonly weight: number;
  /** In the order in which they apply; at least one. */
  readonly rates: readonly AppliedRate[];
}

/** One tax of an invoice or credit note, with its base and its amount in minor units. */
export interface TaxLine extends AppliedRate {
  /** The group of lines that it taxes, from 0. */
  readonly group: number;
  readonly base: number;
  readonly amount: number;
}

/** The tax rule of a customer. */
export interface TaxRule {
  readonly taxType: (typeof taxTypes)[number];
  /** A decimal number of up to four places, such as 8.875. */
  readonly ratePercentage: string;
  /** Whether prices contain the tax already. */
  readonly inclusive: boolean;
  readonly country: string | null;
  readonly state: string | null;
  /** Several rates, or lines with different ones. Absent where the fields above state the only rate. */
  readonly groups?: readonly TaxGroup[];
  /** The group of each line; null for a line that is spread over the groups. Absent without lines. */
  readonly lineGroups?: readonly (number | null)[];
}

export interface Amounts {
  readonly subtotal: number;
  readonly taxAmount: number;
  readonly total: number;
}

/** The form of a rate: 0 to 100 with up to four places. */
export const ratePattern = /^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/;

const scale = 10_000n;
const hundred = 100n * scale;

/**
 * The amounts of a sum of line items with its tax, in minor units. Each tax is exact up to one rounding, half up, of its
 * amount for the whole invoice. Exclusive tax is added to the lines; inclusive tax is a part of them.
 */
export function amountsOf(lines: number, rule: TaxRule | null): Amounts {
  const taxAmount = rule?.groups ? sumOfTaxes(taxLinesOf(lines, rule)) : taxOf(lines, rule);
  return { subtotal: lines, taxAmount, total: lines + (rule?.inclusive ? 0 : taxAmount) };
}

/** The tax of the only rate of a rule. Inclusive tax is `rate / (100 + rate)` of the lines. */
function taxOf(lines: number, rule: TaxRule | null): number {
  const rate = rule && rule.taxType !== 'none' ? rateOf(rule.ratePercentage) : 0n;
  return rule?.inclusive
    ? halfUp(BigInt(lines) * rate, hundred + rate)
    : halfUp(BigInt(lines) * rate, hundred);
}

/** The sum of the amounts of taxes. */
export const sumOfTaxes = (taxes: readonly { readonly amount: number }[]): number =>
  taxes.reduce((sum, { amount }) => sum + amount, 0);

/** The taxes of a sum of line items, which is spread over the groups of the rule. Without groups there are none. */
export function taxLinesOf(lines: number, { groups = [], inclusive }: TaxRule): TaxLine[] {
  const bases = spread(
    lines,
    groups.map(({ weight }) => weight),
  );
  return groups.flatMap(({ rates }, group) => {
    const amounts = taxesOf(bases[group] as number, rates, inclusive);
    const net = (bases[group] as number) - (inclusive ? amounts.reduce(add, 0) : 0);
    return rates.map((rate, at) => {
      const base = rate.compound ? amounts.slice(0, at).reduce(add, net) : net;
      return { ...rate, group, base, amount: amounts[at] as number };
    });
  });
}

const add = (sum: number, amount: number) => sum + amount;

/** The amount of each of some rates on the same lines: each rounded half up. */
export function taxesOf(
  lines: number,
  rates: readonly AppliedRate[],
  inclusive: boolean,
): number[] {
  return inclusive ? taxesWithin(lines, rates) : taxesOn(lines, rates);
}

function taxesOn(lines: number, rates: readonly AppliedRate[]): number[] {
  const amounts: number[] = [];
  for (const { ratePercentage, compound } of rates) {
    const base = compound ? amounts.reduce(add, lines) : lines;
    amounts.push(halfUp(BigInt(base) * rateOf(ratePercentage), hundred));
  }
  return amounts;
}

/** Each rate is a share of the net amount, and the lines are the net amount with all shares. */
function taxesWithin(lines: number, rates: readonly AppliedRate[]): number[] {
  // All shares have the same divisor, 10^6 for each rate.
  const one = hundred ** BigInt(rates.length);
  const shares: bigint[] = [];
  for (const { ratePercentage, compound } of rates) {
    const base = compound ? shares.reduce((sum, share) => sum + share, one) : one;
    shares.push((base * rateOf(ratePercentage)) / hundred);
  }
  const all = shares.reduce((sum, share) => sum + share, one);
  let left = lines;
  return shares.map((share) => {
    const amount = Math.min(left, halfUp(BigInt(lines) * share, all));
    left -= amount;
    return amount;
  });
}

/**
 * Spreads an amount in proportion to weights of 0 or more, such that the parts add up to it: the sum of each part and
 * those before it is rounded. Without any weight the first part is the whole amount.
 */
export function spread(amount: number, weights: readonly number[]): number[] {
  const whole = weights.reduce(add, 0);
  if (whole === 0) return weights.map((_, at) => (at === 0 ? amount : 0));
  let weight = 0;
  let before = 0;
  return weights.map((own) => {
    weight += own;
    const upTo = proportion(amount, weight, whole);
    const part = upTo - before;
    before = upTo;
    return part;
  });
}

/** A percentage times 10,000, exactly. */
function rateOf(text: string): bigint {
  const [whole = '0', places = ''] = text.split('.');
  return BigInt(whole) * scale + BigInt(places.padEnd(4, '0'));
}
