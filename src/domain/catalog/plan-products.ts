import type { Issue } from '#domain/kernel/errors.ts';
import type { Catalog, CatalogProduct, StoredCatalog, StoredProduct } from './catalog.ts';
import {
  type CatalogChange,
  differences,
  type GrantChange,
  inWords,
  notListed,
  notThere,
  type ProductChange,
} from './catalog-plan.ts';
import { freePlan } from './free-plan.ts';
import { planPrices } from './plan-prices.ts';

/** How many features a product grants at most; expired ones count. */
const mostGrants = 1_000;

type Wanted = NonNullable<ProductChange['wanted']>;

const texts = [
  'name',
  'description',
  'imageURL',
  'singularQuantityLabel',
  'pluralQuantityLabel',
  'taxCode',
  'addOn',
  'active',
  'default',
] as const;

/** The changes of products, their prices and the features that they grant. */
export function planProducts(stored: StoredCatalog, given: Catalog) {
  const document = withDefault(stored, given);
  const rows = new Map(stored.products.map((row) => [row.slug, row]));
  const marked = document.products.find((product) => product.default);
  const present = stored.products.find((row) => row.default);
  const isDefault = ({ slug }: CatalogProduct | StoredProduct) =>
    slug === (marked ?? present)?.slug;
  const slugs = new Set(document.products.map(({ slug }) => slug));
  const active = new Set(document.features.flatMap(({ slug, active }) => (active ? [slug] : [])));
  const changes: CatalogChange[] = [
    ...document.products.flatMap((product) =>
      planListed(rows.get(product.slug) ?? null, { ...product, default: isDefault(product) }),
    ),
    ...stored.products
      .filter((row) => !slugs.has(row.slug))
      .flatMap((row) => [
        ...(isDefault(row) ? [] : planRetired(row)),
        // A product outside of the document keeps its grants, except those of features that are not active.
        ...ended(row, active),
      ]),
  ];
  const kept = marked || slugs.has(present?.slug ?? '') ? undefined : present;
  const issues = [
    ...productIssues(stored, document),
    ...keptIssues(document, kept),
    ...stayingIssues(document, marked ? undefined : present),
    ...addedIssues(given, document),
  ];
  return { changes, issues };
}

function planListed(stored: StoredProduct | null, wanted: Wanted): CatalogChange[] {
  const own = { owner: wanted.slug, ownerType: 'product' } as const;
  const prices = planPrices(stored?.prices ?? [], wanted.prices, own);
  const grants = planGrants(stored, wanted);
  const base = { type: 'product', stored, wanted, owner: null } as const;
  if (!stored) {
    return [{ ...base, action: 'created', reason: notThere, fields: [] }, ...prices, ...grants];
  }
  const fields = differences<Pick<Wanted, (typeof texts)[number]>>(stored, wanted, texts);
  const action = stored.active && !wanted.active ? 'retired' : 'changed';
  const change: ProductChange = { ...base, action, reason: inWords(fields), fields };
  return [...(fields.length > 0 ? [change] : []), ...prices, ...grants];
}

/** A product that the document leaves out is no longer sold, and neither are its prices. */
function planRetired(stored: StoredProduct): CatalogChange[] {
  const own = { owner: stored.slug, ownerType: 'product' } as const;
  const prices = planPrices(stored.prices, [], own);
  if (!stored.active && !stored.default) return prices;
  return [
    {
      type: 'product',
      action: 'retired',
      stored,
      wanted: null,
      owner: null,
      reason: notListed,
      fields: [],
    },
    ...prices,
  ];
}

function planGrants(
  stored: StoredProduct | null,
  { slug: owner, features }: Wanted,
): GrantChange[] {
  const rows = new Map((stored?.grants ?? []).map((row) => [row.slug, row]));
  const own = { type: 'product_feature', owner, fields: [] } as const;
  const wanted = features.flatMap((slug): GrantChange[] => {
    const row = rows.get(slug) ?? null;
    if (!row) {
      const reason = `${owner} grants ${slug}`;
      return [{ ...own, action: 'created', stored: null, wanted: { slug }, reason }];
    }
    const reason = `${owner} grants ${slug} again`;
    return row.isExpired
      ? [{ ...own, action: 'changed', stored: row, wanted: { slug }, reason }]
      : [];
  });
  return [...wanted, ...ended(stored, new Set(features))];
}

/** The grants of a product that end, since the document does not list them. */
const ended = (stored: StoredProduct | null, listed: ReadonlySet<string>): GrantChange[] =>
  (stored?.grants ?? [])
    .filter(({ slug, isExpired }) => !isExpired && !listed.has(slug))
    .map((row) => ({
      type: 'product_feature',
      action: 'retired',
      stored: row,
      wanted: null,
      owner: stored?.slug ?? null,
      reason: `${stored?.slug} no longer grants ${row.slug}`,
      fields: [],
    }));

function productIssues(stored: StoredCatalog, { products }: Catalog): Issue[] {
  const rows = new Map(stored.products.map((row) => [row.slug, row]));
  return products.flatMap(({ slug, features }, at): Issue[] => {
    const granted = rows.get(slug)?.grants.map((grant) => grant.slug) ?? [];
    if (new Set([...features, ...granted]).size <= mostGrants) return [];
    const most = mostGrants.toLocaleString('en-US');
    const message = `would be more than ${most} features, expired ones included`;
    return [{ code: 'OUT_OF_RANGE', path: ['products', at, 'features'], message }];
  });
}

/**
 * The default product stays while the document has none. Its price keeps its slug, and it must stay what it is: free
 * and for sale.
 */
function keptIssues({ products, usageMeters }: Catalog, kept: StoredProduct | undefined): Issue[] {
  const slugs = new Set(kept?.prices.map(({ slug }) => slug).filter((slug) => slug !== null));
  const problem = (slug: string | null, path: Issue['path']): Issue[] => {
    if (slug === null || !slugs.has(slug)) return [];
    const message = `is the slug of the price of ${kept?.slug}, the default product: add that product to the document, or mark another as default`;
    return [{ code: 'TAKEN', path, message }];
  };
  return [
    ...products.flatMap(({ prices }, at) =>
      prices.flatMap(({ slug }, index) => problem(slug, [...priceAt(at, index), 'slug'])),
    ),
    ...usageMeters.flatMap(({ prices }, at) =>
      prices.flatMap(({ slug }, index) =>
        problem(slug, ['usageMeters', at, 'prices', index, 'slug']),
      ),
    ),
  ];
}

/** A document without a default product, for a pricing model that has none, gets the free plan. */
const withDefault = (stored: StoredCatalog, document: Catalog): Catalog =>
  [...stored.products, ...document.products].some((product) => product.default)
    ? document
    : { ...document, products: [...document.products, freePlan(stored.currency)] };

/** The slugs of the free plan that is added are not for others. */
function addedIssues({ products }: Catalog, { products: all }: Catalog): Issue[] {
  const added = all[products.length];
  if (!added) return [];
  const message = `is the slug of the free plan, which is added: mark this product as default, or use another slug`;
  return products.flatMap(({ slug, prices }, at): Issue[] => [
    ...(slug === added.slug
      ? [{ code: 'TAKEN' as const, path: ['products', at, 'product', 'slug'], message }]
      : []),
    ...prices.flatMap((price, index) =>
      price.slug === added.slug
        ? [{ code: 'TAKEN' as const, path: [...priceAt(at, index), 'slug'], message }]
        : [],
    ),
  ]);
}

const priceAt = (product: number, index: number) => [
  'products',
  product,
  ...(index === 0 ? ['price'] : ['otherPrices', index - 1]),
];

/** A product that stays the default, though the document does not state it, stays free and for sale. */
function stayingIssues({ products }: Catalog, present: StoredProduct | undefined): Issue[] {
  const at = products.findIndex(({ slug }) => slug === present?.slug);
  const product = products[at];
  if (!product) return [];
  const reason = `${product.slug} stays the default product, since the document marks no other`;
  const [price, ...others] = product.prices;
  return [
    ...(price && price.unitPrice > 0
      ? [{ path: [...priceAt(at, 0), 'unitPrice'], message: `must be 0: ${reason}` }]
      : []),
    ...(price?.trialPeriodDays
      ? [{ path: [...priceAt(at, 0), 'trialPeriodDays'], message: `is not allowed: ${reason}` }]
      : []),
    ...(product.active
      ? []
      : [{ path: ['products', at, 'product', 'active'], message: `must be true: ${reason}` }]),
    ...(product.addOn
      ? [{ path: ['products', at, 'product', 'addOn'], message: `must be false: ${reason}` }]
      : []),
    ...(others.length > 0
      ? [{ path: ['products', at, 'otherPrices'], message: `is not allowed: ${reason}` }]
      : []),
  ].map((issue) => ({ code: 'INVALID', ...issue }));
}
