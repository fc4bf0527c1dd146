import { proportion } from '#domain/kernel/values/decimal.ts';
import { spread, sumOfTaxes, type TaxLine } from '#domain/model/catalog/tax.ts';
import type { EAllowance, ECategory, ELine, EVat } from './e-invoice.ts';

/** A line of an invoice or credit note, as it is stored. */
export interface StoredLine {
  readonly description: string;
  readonly quantity: number | null;
  /** Minor units for a quantity of 1; null where an amount was credited. */
  readonly price: number | null;
  readonly amount: number;
  /** The group of its taxes; null where it is spread over the groups, or there is one. */
  readonly taxGroup: number | null;
  readonly isDiscount: boolean;
}

interface Group extends ECategory {
  /** The amount of its lines, as they are stored, and without VAT. */
  readonly listed: number;
  readonly net: number;
  readonly vat: number;
  readonly reason: string | null;
}

/** The lines, allowances and sums of VAT of a document, all without VAT. */
export interface DocumentParts {
  readonly lines: readonly ELine[];
  readonly allowances: readonly EAllowance[];
  readonly vat: readonly EVat[];
}

const notSubject = 'Not subject to VAT';

/**
 * The parts of a document. Discounts, and lines below 0 without a group of their own, become an allowance of each group. A
 * group that has more than its lines gets a charge. So lines, allowances and charges of a group are its base.
 */
export function documentParts(
  lines: readonly StoredLine[],
  taxes: readonly TaxLine[],
  isInclusive: boolean,
): DocumentParts {
  const groups = groupsOf(lines, taxes, isInclusive);
  const weights = groups.map(({ listed }) => listed);
  const isOnly = groups.length === 1;
  const shown: ELine[] = [];
  const allowances: EAllowance[] = [];
  for (const [at, group] of groups.entries()) {
    const own = lines.flatMap((line) => {
      const isOwn = line.taxGroup === at || (isOnly && !line.isDiscount);
      if (isOwn) return [line];
      if (line.taxGroup !== null || line.isDiscount || line.amount < 0) return [];
      const amount = spread(line.amount, weights)[at] ?? 0;
      return amount === 0 ? [] : [{ ...line, quantity: null, price: null, amount }];
    });
    const rest = group.listed - own.reduce((sum, { amount }) => sum + amount, 0);
    const nets = netOf([...own.map(({ amount }) => amount), rest], group);
    const category = { category: group.category, rate: group.rate };
    for (const [index, line] of own.entries())
      shown.push({ ...lineOf(line, nets[index] ?? 0), ...category });
    const net = nets.at(-1) ?? 0;
    if (net === 0) continue;
    const reason = net < 0 ? reasonOf(lines) : 'Share of a credit on other lines';
    allowances.push({ isCharge: net > 0, amount: Math.abs(net), reason, ...category });
  }
  const parts = [...shown, ...allowances];
  // A rate without any part is not stated.
  const stated = groups.filter(({ category, rate }) =>
    parts.some((part) => part.category === category && part.rate === rate),
  );
  return { lines: shown, allowances, vat: vatOf(stated) };
}

/** Amounts without VAT, which add up to the base of their group. */
function netOf(amounts: readonly number[], { listed, net }: Group): number[] {
  if (listed === net) return [...amounts];
  let sum = 0;
  let before = 0;
  return amounts.map((amount) => {
    sum += amount;
    const upTo = proportion(net, sum, listed);
    const part = upTo - before;
    before = upTo;
    return part;
  });
}

function groupsOf(
  lines: readonly StoredLine[],
  taxes: readonly TaxLine[],
  isInclusive: boolean,
): Group[] {
  if (taxes.length === 0) {
    const listed = lines.reduce((sum, { amount }) => sum + amount, 0);
    return [{ category: 'O', rate: null, listed, net: listed, vat: 0, reason: notSubject }];
  }
  return [...Map.groupBy(taxes, ({ group }) => group).values()].map((of) => {
    const [{ category, ratePercentage, base, reason }] = of as [TaxLine];
    const vat = sumOfTaxes(of);
    const rate = category === 'O' ? null : String(Number(ratePercentage));
    return { category, rate, reason, vat, net: base, listed: base + (isInclusive ? vat : 0) };
  });
}

/** A quantity and a price of 0 or more whose product is the amount, or one unit of it. */
function lineOf({ description, quantity, price, amount }: StoredLine, net: number) {
  const name = description || 'Item';
  const isSame = amount === net && quantity !== null && price !== null;
  const sign = amount < 0 ? -1 : 1;
  const size = Math.abs(price ?? 0);
  if (isSame && Number.isInteger(quantity) && Math.abs(quantity) * size === Math.abs(amount)) {
    return { name, quantity: String(sign * Math.abs(quantity)), price: size, amount: net };
  }
  const counted = quantity === null || Math.abs(quantity) === 1 ? name : `${name} (${quantity})`;
  return { name: counted, quantity: net < 0 ? '-1' : '1', price: Math.abs(net), amount: net };
}

const reasonOf = (lines: readonly StoredLine[]): string => {
  const texts = lines.filter(({ isDiscount, amount }) => isDiscount || amount < 0);
  return texts.map(({ description }) => description).join('; ') || 'Discount';
};

/** The VAT of each category and rate. */
function vatOf(groups: readonly Group[]): EVat[] {
  const same = Map.groupBy(groups, ({ category, rate }) => `${category} ${rate}`);
  return [...same.values()].map((of) => {
    const [{ category, rate }] = of as [Group];
    const reasons = new Set(of.flatMap(({ reason }) => reason ?? []));
    return {
      ...{ category, rate },
      base: of.reduce((sum, { net }) => sum + net, 0),
      amount: of.reduce((sum, { vat }) => sum + vat, 0),
      reason: [...reasons].join('; ') || null,
    };
  });
}
