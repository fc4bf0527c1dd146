import type { Issue } from '#domain/kernel/errors.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import { priceTypes } from '#domain/model/catalog/price.ts';
import type { CatalogStructure, PriceDocument, ProductDocument } from './catalog-document.ts';

type Path = readonly (string | number)[];

const issue = (code: IssueCode, path: Path, message: string): Issue => ({ code, path, message });

/** The problems of slugs, references and defaults. */
export function documentProblems(document: CatalogStructure): Issue[] {
  return [
    ...repeatedSlugs(document),
    ...repeatedPriceSlugs(document),
    ...unknownReferences(document),
    ...document.products.flatMap((entry, at) => productProblems(entry, ['products', at])),
    ...defaultProblems(document),
    ...meterProblems(document),
  ];
}

function repeatedSlugs({ features, products, usageMeters, resources }: CatalogStructure): Issue[] {
  return [
    ...repeated(
      slugsOf(features, (at) => ['features', at, 'slug']),
      'features',
    ),
    ...repeated(
      slugsOf(
        products.map(({ product }) => product),
        (at) => ['products', at, 'product', 'slug'],
      ),
      'products',
    ),
    ...repeated(
      slugsOf(
        usageMeters.map(({ usageMeter }) => usageMeter),
        (at) => ['usageMeters', at, 'usageMeter', 'slug'],
      ),
      'usage meters',
    ),
    ...repeated(
      slugsOf(resources, (at) => ['resources', at, 'slug']),
      'resources',
    ),
  ];
}

interface Placed {
  readonly slug: string;
  readonly path: Path;
}

const slugsOf = (entries: readonly { slug: string }[], pathOf: (at: number) => Path): Placed[] =>
  entries.map(({ slug }, at) => ({ slug, path: pathOf(at) }));

/** One issue for each slug that an earlier place has, too. */
function repeated(placed: readonly Placed[], things: string): Issue[] {
  const first = new Map<string, Path>();
  return placed.flatMap(({ slug, path }) => {
    const earlier = first.get(slug);
    if (!earlier) first.set(slug, path);
    return earlier
      ? [issue('TAKEN', path, `repeats ${earlier.join('.')}: ${things} must have unique slugs`)]
      : [];
  });
}

/** The prices of products and usage meters share their slugs, also with the fallback prices. */
function repeatedPriceSlugs({ products, usageMeters }: CatalogStructure): Issue[] {
  const fallbacks = usageMeters.map(({ usageMeter }, at) => ({
    slug: `${usageMeter.slug}_no_charge`,
    path: ['usageMeters', at, 'usageMeter', 'slug'],
  }));
  const placed = [
    ...fallbacks,
    ...products.flatMap(({ price, otherPrices }, at) => [
      ...slugOf(price, ['products', at, 'price', 'slug']),
      ...(otherPrices ?? []).flatMap((other, index) =>
        slugOf(other, ['products', at, 'otherPrices', index, 'slug']),
      ),
    ]),
    ...usageMeters.flatMap(({ prices }, at) =>
      (prices ?? []).flatMap((price, index) =>
        price.active === false ? [] : slugOf(price, ['usageMeters', at, 'prices', index, 'slug']),
      ),
    ),
  ];
  // A repeated usage meter is an issue of its own.
  return repeated(placed, 'prices').filter(({ path }) => path[2] !== 'usageMeter');
}

const slugOf = ({ slug }: PriceDocument, path: Path): Placed[] =>
  slug == null ? [] : [{ slug, path }];

function unknownReferences(document: CatalogStructure): Issue[] {
  const meters = new Set(document.usageMeters.map(({ usageMeter }) => usageMeter.slug));
  const resources = new Set(document.resources.map(({ slug }) => slug));
  const features = new Map(document.features.map((feature) => [feature.slug, feature]));
  const ofFeatures = document.features.flatMap(({ usageMeterSlug, resourceSlug }, at) => [
    ...(usageMeterSlug == null || meters.has(usageMeterSlug)
      ? []
      : [unknown('usage meter', usageMeterSlug, ['features', at, 'usageMeterSlug'])]),
    ...(resourceSlug == null || resources.has(resourceSlug)
      ? []
      : [unknown('resource', resourceSlug, ['features', at, 'resourceSlug'])]),
  ]);
  const ofProducts = document.products.flatMap(({ features: slugs }, at) =>
    slugs.flatMap((slug, index) => {
      // Another value is refused for its type.
      if (typeof slug !== 'string') return [];
      const path = ['products', at, 'features', index];
      const feature = features.get(slug);
      if (!feature) return [unknown('feature', slug, path)];
      if (feature.active !== false) return [];
      return [issue('ARCHIVED', path, `${slug} is not active: activate it or leave it out`)];
    }),
  );
  return [...ofFeatures, ...ofProducts];
}

const unknown = (noun: string, slug: string, path: Path) =>
  issue('NOT_FOUND', path, `Unknown ${noun} ${slug}: the document has none with this slug`);

function productProblems({ price, otherPrices }: ProductDocument, path: Path): Issue[] {
  const flags = (['isDefault', 'active'] as const)
    .filter((flag) => price[flag] === false)
    .map((flag) =>
      issue(
        'INVALID',
        [...path, 'price', flag],
        'must be true: the price of a product must have active=true and isDefault=true',
      ),
    );
  const usage = (one: PriceDocument, at: Path) =>
    one.type === 'usage'
      ? [
          issue(
            'INVALID',
            [...at, 'type'],
            'must not be usage: usage prices belong to usage meters',
          ),
        ]
      : [];
  const others = (otherPrices ?? []).flatMap((other, index) => {
    const at = [...path, 'otherPrices', index];
    return [
      ...usage(other, at),
      ...(other.isDefault
        ? [issue('INVALID', [...at, 'isDefault'], 'must be false: the default is `price`')]
        : []),
      ...(other.active === false
        ? [issue('INVALID', [...at, 'active'], 'must be true: leave a retired price out')]
        : []),
      ...(isType(other) && isType(price) && other.type !== price.type && other.type !== 'usage'
        ? [issue('MISMATCH', [...at, 'type'], `must be ${price.type}, the type of \`price\``)]
        : []),
    ];
  });
  return [...flags, ...usage(price, [...path, 'price']), ...others];
}

const isType = ({ type }: Pick<PriceDocument, 'type'>) => priceTypes.includes(type);

/** The default product is the free one of new customers. */
function defaultProblems({ products }: CatalogStructure): Issue[] {
  const defaults = products.flatMap(({ product }, at) => (product.default ? [at] : []));
  const slugs = defaults
    .flatMap((at) => products[at]?.product.slug ?? [])
    .filter((slug) => !slug.startsWith('\0'))
    .join(', ');
  const several = defaults.slice(1).map((at) => {
    const message = `Only one product can be marked as default. Found ${defaults.length} default products: ${slugs}`;
    return issue('INVALID', ['products', at, 'product', 'default'], message);
  });
  const paid = defaults.flatMap((at) => {
    const { product, price, otherPrices } = products[at] as ProductDocument;
    const path = ['products', at];
    const free = 'the default product is free and always for sale';
    return [
      ...(price.unitPrice === 0
        ? []
        : [issue('INVALID', [...path, 'price', 'unitPrice'], `must be 0: ${free}`)]),
      ...(price.trialPeriodDays
        ? [issue('NOT_ALLOWED', [...path, 'price', 'trialPeriodDays'], `is not allowed: ${free}`)]
        : []),
      ...(product.active === false
        ? [issue('INVALID', [...path, 'product', 'active'], `must be true: ${free}`)]
        : []),
      ...(product.addOn
        ? [
            issue(
              'INVALID',
              [...path, 'product', 'addOn'],
              'must be false: it is the plan of new customers',
            ),
          ]
        : []),
      ...(otherPrices?.length
        ? [issue('NOT_ALLOWED', [...path, 'otherPrices'], `is not allowed: ${free}`)]
        : []),
    ];
  });
  return [...several, ...paid];
}

function meterProblems({ usageMeters }: CatalogStructure): Issue[] {
  return usageMeters.flatMap(({ prices }, at) =>
    (prices ?? []).flatMap(({ type, isDefault, active }, index) => {
      const path = ['usageMeters', at, 'prices', index];
      if (type !== 'usage' && isType({ type }))
        return [
          issue('INVALID', [...path, 'type'], 'must be usage: it is a price of a usage meter'),
        ];
      if (isDefault && active === false)
        return [issue('INVALID', [...path, 'active'], 'must be true for a default price')];
      return [];
    }),
  );
}
