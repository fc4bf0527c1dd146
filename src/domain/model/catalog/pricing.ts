/** How a quantity or usage becomes an amount. */
export const priceModels = [
  'per_unit',
  'flat',
  'graduated',
  'volume',
  'stairstep',
  'package',
  'percentage',
  'matrix',
] as const;
export type PriceModel = (typeof priceModels)[number];

/** A range of units, from above the tier before it. Decimals are exact texts. */
export interface PriceTier {
  /** The last unit of the tier; null for the last tier, which has no end. */
  readonly upTo: string | null;
  /** Minor units for each unit of the tier. */
  readonly unitPrice: string;
  /** Minor units once the tier is used. */
  readonly flatFee: number;
}

/** The price of a unit for each combination of values of up to three event properties. */
export interface PriceMatrix {
  readonly dimensions: string[];
  readonly cells: PriceCell[];
  /** Minor units for a unit of any other combination, an exact text. */
  readonly otherUnitPrice: string;
}

export interface PriceCell {
  /** One value for each dimension, in their order. */
  readonly values: string[];
  /** Minor units for each unit, an exact text. */
  readonly unitPrice: string;
}

/** The fields of a price that decide how it is computed, besides `unitPrice` and `usageEventsPerUnit`. */
export interface PricingFields {
  readonly model: PriceModel;
  readonly tiers: PriceTier[] | null;
  /** The units of a package, of which each started one is charged. */
  readonly packageSize: number | null;
  /** An exact text. */
  readonly percentage: string | null;
  /** Minor units for each event, next to the percentage. */
  readonly fixedFee: number | null;
  /** The first units of a period, which cost nothing. */
  readonly freeUnits: number | null;
  /** The least amount of a period with a quantity, in minor units. */
  readonly minimumAmount: number | null;
  /** The largest amount of a period, in minor units. */
  readonly maximumAmount: number | null;
  readonly matrix: PriceMatrix | null;
}

/**
 * The same without empty fields, as items keep it, with the discount of an item. Null is a price per unit without any of
 * them.
 */
export type Pricing = Pick<PricingFields, 'model'> & {
  readonly [Field in Exclude<keyof PricingFields, 'model'>]?: NonNullable<PricingFields[Field]>;
} & {
  /** The percentage by which the amount of the item is reduced, an exact text above 0 and below 100. */
  readonly discount?: string;
  /** The end of the trial of the item, until which it costs nothing; milliseconds since 1970. */
  readonly trialEnd?: number;
};

/** A price per unit: no other field applies. */
export const perUnit: PricingFields = {
  model: 'per_unit',
  tiers: null,
  packageSize: null,
  percentage: null,
  fixedFee: null,
  freeUnits: null,
  minimumAmount: null,
  maximumAmount: null,
  matrix: null,
};

export const pricingFieldNames = Object.keys(perUnit) as (keyof PricingFields)[];

type Absent = null | undefined;
type Given = {
  readonly [Field in Exclude<keyof PricingFields, 'tiers'>]?: PricingFields[Field] | Absent;
} & {
  readonly tiers?:
    | readonly { readonly [Field in keyof PriceTier]?: PriceTier[Field] | Absent }[]
    | Absent;
};

/** The fields of a price, each set and in one order: equal prices have equal texts. */
export const pricingFieldsOf = (of: Given): PricingFields => ({
  model: of.model ?? 'per_unit',
  tiers:
    of.tiers?.map(({ upTo, unitPrice, flatFee }) => ({
      upTo: upTo ?? null,
      unitPrice: unitPrice ?? '0',
      flatFee: flatFee ?? 0,
    })) ?? null,
  packageSize: of.packageSize ?? null,
  percentage: of.percentage ?? null,
  fixedFee: of.fixedFee ?? null,
  freeUnits: of.freeUnits ?? null,
  minimumAmount: of.minimumAmount ?? null,
  maximumAmount: of.maximumAmount ?? null,
  matrix: of.matrix
    ? {
        dimensions: of.matrix.dimensions,
        cells: of.matrix.cells.map(({ values, unitPrice }) => ({ values, unitPrice })),
        otherUnitPrice: of.matrix.otherUnitPrice,
      }
    : null,
});

/** The pricing that items of a price keep; null for a plain price per unit. */
export function pricingOf(of: Given): Pricing | null {
  const fields = Object.entries(pricingFieldsOf(of)).filter(([, value]) => value !== null);
  return fields.length === 1 && of.model === 'per_unit'
    ? null
    : (Object.fromEntries(fields) as unknown as Pricing);
}

/** The pricing of an item with another discount; null for none, and for a price per unit without one. */
export function withDiscount(pricing: Pricing | null, discount: string | null): Pricing | null {
  const { discount: _, ...rest } = pricing ?? { model: 'per_unit' as const };
  return discount === null ? unlessPlain(rest) : { ...rest, discount };
}

/** The pricing of an item with another end of its trial, in milliseconds since 1970; null for none. */
export function withTrial(
  pricing: Pricing | null | undefined,
  trialEnd: number | null,
): Pricing | null {
  const { trialEnd: _, ...rest } = pricing ?? { model: 'per_unit' as const };
  return trialEnd === null ? unlessPlain(rest) : { ...rest, trialEnd };
}

/** The pricing of an item at an instant: a trial that has ended by then is left out. */
export const pricingAtInstant = (pricing: Pricing | null | undefined, at: Date): Pricing | null =>
  pricing?.trialEnd !== undefined && pricing.trialEnd <= at.getTime()
    ? withTrial(pricing, null)
    : (pricing ?? null);

const unlessPlain = (pricing: Pricing): Pricing | null =>
  pricing.model === 'per_unit' && Object.keys(pricing).length === 1 ? null : pricing;

/** The models whose `unitPrice` follows from their other fields. */
export const derivesUnitPrice = (model: PriceModel): boolean =>
  ['graduated', 'volume', 'stairstep', 'percentage', 'matrix'].includes(model);
