import { digitsOf, moneyText, numberText, quantityText } from './formats.ts';
import { intervalText } from './interval-text.ts';

/** The fields of a price that decide its amounts, as the graph states them. */
export interface PriceTerms {
  readonly type: string;
  readonly unitPrice: number;
  readonly currency: string;
  readonly usageEventsPerUnit: number | null;
  readonly intervalUnit: string | null;
  readonly intervalCount: number | null;
  readonly model: string;
  readonly tiers:
    | readonly {
        readonly upTo: number | null;
        readonly unitPrice: number;
        readonly flatFee: number;
      }[]
    | null;
  readonly packageSize: number | null;
  readonly percentage: number | null;
  readonly fixedFee: number | null;
  readonly freeUnits: number | null;
  readonly minimumAmount: number | null;
  readonly maximumAmount: number | null;
  readonly matrix: {
    readonly dimensions: readonly string[];
    readonly cells: readonly { readonly values: readonly string[]; readonly unitPrice: number }[];
    readonly otherUnitPrice: number;
  } | null;
}

/** A price of a unit, which may be a fraction of a minor unit. */
export function unitPriceText(amount: number, currency: string): string {
  const digits = digitsOf(currency);
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits + 9,
  }).format(amount / 10 ** digits);
}

const modelWords: Readonly<Record<string, string>> = {
  graduated: 'Graduated tiers',
  volume: 'Volume tiers',
  stairstep: 'Steps',
  matrix: 'By event properties',
};

/** A price in one line, such as "$20.00 a month" or "Graduated tiers a month". */
export function priceText(price: PriceTerms): string {
  const { model, unitPrice, currency, percentage, packageSize, type } = price;
  const perUnit = price.usageEventsPerUnit ?? 1;
  const often = type === 'usage' ? '' : ` ${intervalText(price)}`;
  const words = modelWords[model];
  if (words) return `${words}${perUnit > 1 ? ` per ${numberText(perUnit)}` : often}`;
  const amount = moneyText(unitPrice, currency);
  switch (model) {
    case 'flat':
      return type === 'usage'
        ? `${amount} ${intervalText(price)} with usage`
        : `${amount}${often} for any quantity`;
    case 'package': {
      const size = numberText((packageSize ?? 1) * perUnit);
      return `${amount} for each started ${size}${often}`;
    }
    case 'percentage':
      return `${numberText(percentage ?? 0)} % of the usage`;
    default:
      return type === 'usage' ? `${amount} per ${numberText(perUnit)}` : `${amount}${often}`;
  }
}

/** The cells of a matrix that are shown before their number is. */
const shownCells = 12;

/** The tiers, cells, free units and limits of a price, one line each. */
export function priceDetails(price: PriceTerms): string[] {
  const { currency, fixedFee, freeUnits, minimumAmount, maximumAmount, tiers, matrix } = price;
  const perUnit = price.usageEventsPerUnit ?? 1;
  const money = (amount: number) => moneyText(amount, currency);
  const cells = matrix?.cells ?? [];
  return [
    ...(tiers ?? []).map(({ upTo, unitPrice, flatFee }, place) => {
      const range =
        upTo !== null
          ? `Up to ${quantityText(upTo)}`
          : place === 0
            ? 'Any quantity'
            : `Above ${quantityText(tiers?.[place - 1]?.upTo ?? 0)}`;
      return `${range}: ${tierText(unitPrice, flatFee, price)}`;
    }),
    ...cells
      .slice(0, shownCells)
      .map(
        ({ values, unitPrice }) => `${values.join(' · ')}: ${unitPriceText(unitPrice, currency)}`,
      ),
    ...(cells.length > shownCells ? [`${numberText(cells.length - shownCells)} more`] : []),
    ...(matrix
      ? [
          `Any other ${matrix.dimensions.join(' · ')}: ${unitPriceText(matrix.otherUnitPrice, currency)}`,
        ]
      : []),
    ...(fixedFee ? [`Each event: ${money(fixedFee)}`] : []),
    ...(freeUnits ? [`Free: the first ${numberText(freeUnits * perUnit)} of a period`] : []),
    ...(minimumAmount ? [`At least ${money(minimumAmount)} in a period`] : []),
    ...(maximumAmount ? [`At most ${money(maximumAmount)} in a period`] : []),
  ];
}

function tierText(unitPrice: number, flatFee: number, { model, currency }: PriceTerms): string {
  const fee = moneyText(flatFee, currency);
  if (model === 'stairstep') return fee;
  const each = `${unitPriceText(unitPrice, currency)} each`;
  return flatFee === 0 ? each : unitPrice === 0 ? fee : `${each} and ${fee}`;
}

/** Whether a price has another amount than its unit price for each unit. */
const hasModel = (price: PriceTerms): boolean =>
  price.model !== 'per_unit' || priceDetails(price).length > 0;

/** A price in a choice: its amount for a quantity of 1, which tiers and limits may change. */
export function startingPriceText(price: PriceTerms & { readonly amountOfOne: number }): string {
  if (!hasModel(price)) return priceText(price);
  const words = price.model === 'per_unit' ? '' : ` (${price.model})`;
  return `from ${moneyText(price.amountOfOne, price.currency)} ${intervalText(price)}${words}`;
}
