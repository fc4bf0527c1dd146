import { pricingFieldNames } from '#domain/model/catalog/pricing.ts';
import type { CatalogPrice, StoredPrice } from './catalog.ts';
import { differences, inWords, notListed, notThere, type PriceChange } from './catalog-plan.ts';

/** The fields that a price keeps for life. */
const terms = [
  'type',
  'unitPrice',
  'currency',
  'intervalUnit',
  'intervalCount',
  'trialPeriodDays',
  'usageEventsPerUnit',
  ...pricingFieldNames,
] as const;

/** The fields that change in place. */
const changeable = ['slug', 'name', 'isDefault'] as const;

interface Owner {
  readonly owner: string;
  readonly ownerType: PriceChange['ownerType'];
}

interface Pair {
  readonly stored: StoredPrice;
  readonly wanted: CatalogPrice;
}

/** How the active prices of a product or usage meter become those of the document. */
export function planPrices(
  stored: readonly StoredPrice[],
  wanted: readonly CatalogPrice[],
  owner: Owner,
): PriceChange[] {
  const { kept, replaced, left, added } = matched(stored, wanted);
  return [
    ...left.map((price) => retired(price, owner, notListed)),
    ...replaced.map((pair) => retired(pair.stored, owner, lostTerms(pair))),
    ...kept.flatMap((pair) => changedIn(pair, owner)),
    ...replaced.map((pair) => created(pair.wanted, owner, pair)),
    ...added.map((price) => created(price, owner)),
  ];
}

/** A price of the document means a row with an equal key; null is no key. */
type KeyOf = (price: CatalogPrice) => string | null;

const valuesOf =
  (names: readonly (keyof CatalogPrice)[]): KeyOf =>
  (price) =>
    JSON.stringify(names.map((name) => price[name]));

/** An equal price, else one of its slug, else one of its terms, else the default that it follows. */
const meanings: readonly KeyOf[] = [
  valuesOf([...terms, ...changeable]),
  valuesOf([...terms, 'slug', 'name']),
  ({ slug }) => slug,
  valuesOf([...terms, 'name']),
  valuesOf(terms),
  ({ isDefault, currency }) => (isDefault ? currency : null),
  ({ isDefault }) => (isDefault ? '' : null),
];

/** Pairs each price of the document with the row that it means, in time that grows with their number only. */
function matched(stored: readonly StoredPrice[], wanted: readonly CatalogPrice[]) {
  const rows = new Set(stored);
  const prices = new Set(wanted);
  const pairs: Pair[] = [];
  for (const keyOf of meanings) {
    if (rows.size === 0 || prices.size === 0) break;
    const byKey = new Map(
      [...Map.groupBy(rows, keyOf)].map(([key, rows]) => [key, rows.values()] as const),
    );
    for (const price of prices) {
      const key = keyOf(price);
      const row = key === null ? undefined : byKey.get(key)?.next().value;
      if (!row) continue;
      pairs.push({ stored: row, wanted: price });
      rows.delete(row);
      prices.delete(price);
    }
  }
  const isKept = (pair: Pair) => isSameSale(pair.stored, pair.wanted);
  return {
    kept: pairs.filter(isKept),
    replaced: pairs.filter((pair) => !isKept(pair)),
    left: [...rows],
    added: [...prices],
  };
}

const isSameSale = (row: StoredPrice, price: CatalogPrice) =>
  differences<CatalogPrice>(row, price, terms).length === 0;

function changedIn({ stored, wanted }: Pair, owner: Owner): PriceChange[] {
  const fields = differences<CatalogPrice>(stored, wanted, changeable);
  if (fields.length === 0) return [];
  const reason = inWords(fields);
  return [{ type: 'price', action: 'changed', stored, wanted, ...owner, reason, fields }];
}

const lostTerms = ({ stored, wanted }: Pair) =>
  `is replaced, since these terms of a price never change: ${inWords(
    differences<CatalogPrice>(stored, wanted, terms),
  )}; subscriptions keep it`;

const retired = (stored: StoredPrice, owner: Owner, reason: string): PriceChange => ({
  type: 'price',
  action: 'retired',
  stored,
  wanted: null,
  ...owner,
  reason,
  fields: [],
});

const created = (wanted: CatalogPrice, owner: Owner, pair?: Pair): PriceChange => ({
  type: 'price',
  action: 'created',
  stored: null,
  wanted,
  ...owner,
  reason: pair ? `replaces ${pair.stored.id}` : notThere,
  replaces: pair?.stored.id,
  fields: [],
});
