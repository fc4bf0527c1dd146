import { digitsOf } from '../../../parts/texts/formats.ts';
import type { Price } from '../types.ts';

/** A tier in a form. */
export interface TierFields {
  readonly key: string;
  readonly upTo: string;
  /** Major units, which may be fractions of a minor one, as the other prices of a unit. */
  readonly unitPrice: string;
  /** Minor units. */
  readonly flatFee: number | undefined;
}

/** A cell of a matrix in a form: one value for each dimension. */
export interface CellFields {
  readonly key: string;
  readonly values: readonly string[];
  readonly unitPrice: string;
}

/** The model of a price in a form. */
export interface ModelFields {
  readonly model: Price['model'];
  readonly tiers: readonly TierFields[];
  readonly packageSize: number | undefined;
  readonly percentage: string;
  /** Minor units, as the amounts below. */
  readonly fixedFee: number | undefined;
  readonly freeUnits: number | undefined;
  readonly minimumAmount: number | undefined;
  readonly maximumAmount: number | undefined;
  readonly dimensions: readonly string[];
  readonly cells: readonly CellFields[];
  readonly otherUnitPrice: string;
}

export const emptyTier = (): TierFields => ({
  key: crypto.randomUUID(),
  upTo: '',
  unitPrice: '',
  flatFee: undefined,
});

export const emptyCell = (): CellFields => ({
  key: crypto.randomUUID(),
  values: [],
  unitPrice: '',
});

/** A price per unit. */
export const perUnitModel = (): ModelFields => ({
  model: 'per_unit',
  tiers: [emptyTier(), emptyTier()],
  packageSize: undefined,
  percentage: '',
  fixedFee: undefined,
  freeUnits: undefined,
  minimumAmount: undefined,
  maximumAmount: undefined,
  dimensions: [''],
  cells: [emptyCell()],
  otherUnitPrice: '',
});

/** The fields after a change of the model. Amounts that are hidden then are gone, so that none is sent unseen. */
export function withModel(fields: ModelFields, model: ModelFields['model']): ModelFields {
  const { freeUnits, minimumAmount, maximumAmount, tiers } = fields;
  const kept = tiers.map((tier) => (model === 'stairstep' ? { ...tier, unitPrice: '' } : tier));
  return {
    ...perUnitModel(),
    ...{ model, freeUnits, minimumAmount, maximumAmount },
    ...(hasTiers(model) && { tiers: kept }),
  };
}

export const hasTiers = (model: Price['model']) =>
  model === 'graduated' || model === 'volume' || model === 'stairstep';

/** Whether a model needs an amount in addition to its own fields. */
export const needsAmount = (model: Price['model']) =>
  model === 'per_unit' || model === 'flat' || model === 'package';

/** An amount in major units as an exact text of minor units; undefined for none. */
function minorText(typed: string, currency: string): string | undefined {
  const [whole = '', fraction = ''] = typed.split('.');
  if (whole === '' && fraction === '') return undefined;
  const digits = digitsOf(currency);
  const padded = fraction.padEnd(digits, '0');
  const minor = `${whole}${padded.slice(0, digits)}`.replace(/^0+(?=\d)/, '');
  const rest = padded.slice(digits).replace(/0+$/, '');
  return rest ? `${minor}.${rest}` : minor;
}

/** The input of a model; undefined while it is incomplete. */
export function modelInputOf(fields: ModelFields, currency: string) {
  const { model, freeUnits, minimumAmount, maximumAmount } = fields;
  const own = ownFields(fields, currency);
  if (!own) return undefined;
  return {
    ...(model !== 'per_unit' && { model }),
    ...own,
    ...(model !== 'matrix' && freeUnits && { freeUnits }),
    ...(minimumAmount && { minimumAmount }),
    ...(maximumAmount && { maximumAmount }),
  };
}

function ownFields(fields: ModelFields, currency: string) {
  const { model, packageSize, percentage, fixedFee } = fields;
  switch (model) {
    case 'package':
      return packageSize ? { packageSize } : undefined;
    case 'percentage':
      return Number(percentage) > 0 ? { percentage, ...(fixedFee && { fixedFee }) } : undefined;
    case 'matrix':
      return matrixOf(fields, currency);
    case 'per_unit':
    case 'flat':
      return {};
    default:
      return tiersOf(fields, currency);
  }
}

function tiersOf({ model, tiers }: ModelFields, currency: string) {
  const inputs = tiers.map(({ upTo, unitPrice, flatFee }, place) => {
    const price = model === 'stairstep' ? undefined : minorText(unitPrice, currency);
    return {
      ...(place < tiers.length - 1 && { upTo }),
      ...(price !== undefined && { unitPrice: price }),
      ...(flatFee !== undefined && { flatFee }),
    };
  });
  const isComplete = inputs.every(
    ({ upTo, unitPrice, flatFee }) =>
      (unitPrice !== undefined || flatFee !== undefined) && (upTo === undefined || upTo !== ''),
  );
  return isComplete ? { tiers: inputs } : undefined;
}

function matrixOf({ dimensions, cells, otherUnitPrice }: ModelFields, currency: string) {
  const names = dimensions.map((name) => name.trim());
  const other = minorText(otherUnitPrice, currency);
  const inputs = cells.flatMap(({ values, unitPrice }) => {
    const price = minorText(unitPrice, currency);
    if (price === undefined) return [];
    return [{ values: names.map((_, place) => (values[place] ?? '').trim()), unitPrice: price }];
  });
  if (names.includes('') || other === undefined || inputs.length < cells.length) return undefined;
  return { matrix: { dimensions: names, cells: inputs, otherUnitPrice: other } };
}
