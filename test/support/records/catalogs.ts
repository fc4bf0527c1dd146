import fc from 'fast-check';

/** A catalog document as a caller writes it. */
// biome-ignore lint/suspicious/noExplicitAny: tests change whatever they need to
export type Document = any;

const slug = (prefix: string) => fc.integer({ min: 0, max: 5 }).map((n) => `${prefix}-${n}`);
const text = fc.constantFrom('Pro', 'Team', 'Größe', 'no', '1.0', 'a: b', '"quoted"', '日本');
const unique = { selector: ({ slug }: { slug: string }) => slug, maxLength: 4 };

const resource = fc.record({ slug: slug('res'), name: text, active: fc.constant(true) });
const interval = {
  intervalUnit: fc.constantFrom('day', 'week', 'month', 'year'),
  intervalCount: fc.integer({ min: 1, max: 3 }),
};
const unitPrice = fc.constantFrom(0, 1, 999, 1_000, 2 ** 53 - 1);
const currency = fc.constantFrom('USD', 'EUR', 'JPY');

const meter = fc.record({
  slug: slug('meter'),
  name: text,
  aggregationType: fc.constantFrom('sum', 'count_distinct_properties', 'count', 'max', 'last'),
  prices: fc.array(
    fc.record({
      named: fc.boolean(),
      name: fc.option(text),
      isDefault: fc.boolean(),
      unitPrice,
      currency,
      usageEventsPerUnit: fc.integer({ min: 1, max: 1_000 }),
      ...interval,
    }),
    { maxLength: 3 },
  ),
});

const feature = fc.record({
  slug: slug('feat'),
  kind: fc.constantFrom('toggle', 'usage_credit_grant', 'resource'),
  name: text,
  description: fc.constantFrom('', 'Some words', 'Line\nbreak'),
  amount: fc.integer({ min: 1, max: 1_000 }),
  renewalFrequency: fc.constantFrom('once', 'every_billing_period'),
  per: fc.constantFrom(undefined, 'subscription'),
  pick: fc.nat(),
});

const price = fc.record({
  named: fc.boolean(),
  name: fc.option(text),
  unitPrice,
  currency,
  trial: fc.constantFrom(null, null, 14),
  ...interval,
});

const product = fc.record({
  slug: slug('prod'),
  name: text,
  description: fc.option(text),
  singularQuantityLabel: fc.option(text),
  /** The document of a catalog states it where it is true. */
  addOn: fc.constantFrom(null, true),
  active: fc.boolean(),
  once: fc.boolean(),
  price,
  others: fc.array(price, { maxLength: 2 }),
  grants: fc.array(fc.nat(), { maxLength: 3 }),
});

const present = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/**
 * Valid documents of small catalogs whose slugs often meet, so that two of them have much in common. Features that
 * would refer to nothing are toggles.
 */
export const documents: fc.Arbitrary<Document> = fc
  .record({
    resources: fc.uniqueArray(resource, unique),
    meters: fc.uniqueArray(meter, unique),
    features: fc.uniqueArray(feature, unique),
    products: fc.uniqueArray(product, unique),
    free: fc.record({
      slug: fc.constantFrom('free', 'basic'),
      name: text,
      once: fc.boolean(),
      grants: fc.array(fc.nat(), { maxLength: 2 }),
    }),
  })
  .map(({ resources, meters, features: drafts, products, free }) => {
    const features = drafts.map(({ kind, pick, amount, renewalFrequency, per, ...fields }) => {
      const meter = meters[pick % meters.length];
      const resource = resources[pick % resources.length];
      if (kind === 'usage_credit_grant' && meter)
        return {
          ...fields,
          type: kind,
          amount,
          renewalFrequency,
          ...(per && { per }),
          usageMeterSlug: meter.slug,
        };
      if (kind === 'resource' && resource)
        return { ...fields, type: kind, amount, resourceSlug: resource.slug };
      return { ...fields, type: 'toggle' };
    });
    const granted = (picks: number[]) => [
      ...new Set(picks.flatMap((pick) => features[pick % features.length]?.slug ?? [])),
    ];
    return {
      name: 'Default',
      isDefault: true,
      resources,
      usageMeters: meters.map(({ prices, ...usageMeter }) => {
        const taken = new Set<string>();
        return {
          usageMeter,
          prices: prices.map(({ named, name, isDefault, ...terms }, index) => {
            const first = isDefault && !taken.has(terms.currency);
            if (first) taken.add(terms.currency);
            return {
              type: 'usage',
              ...present({ name, slug: named ? `${usageMeter.slug}-p${index}` : null }),
              isDefault: first,
              ...terms,
            };
          }),
        };
      }),
      features,
      products: [
        ...products.map(({ once, price, others, grants, active, ...fields }) => {
          const priceOf = (draft: typeof price, ending: string, isDefault: boolean) => {
            const { named, name, trial, intervalUnit, intervalCount, ...terms } = draft;
            return {
              type: once ? 'single_payment' : 'subscription',
              ...present({ name, slug: named ? `${fields.slug}${ending}` : null }),
              isDefault,
              ...terms,
              ...(once
                ? {}
                : { intervalUnit, intervalCount, ...present({ trialPeriodDays: trial }) }),
            };
          };
          return {
            product: { ...present(fields), active },
            price: priceOf(price, '', true),
            otherPrices: others.map((other, index) => priceOf(other, `-o${index}`, false)),
            features: granted(grants),
          };
        }),
        {
          product: { slug: free.slug, name: free.name, active: true, default: true },
          price: {
            type: free.once ? 'single_payment' : 'subscription',
            slug: free.slug,
            isDefault: true,
            unitPrice: 0,
            ...(free.once ? {} : { intervalUnit: 'month', intervalCount: 1 }),
          },
          features: granted(free.grants),
        },
      ],
    };
  });

const sorted = <T>(rows: readonly T[], key: (row: T) => string) =>
  rows.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));

/** A document in the form in which the service writes it, without what stays the same in every document. */
export const normal = (document: Document) => ({
  name: document.name,
  isDefault: document.isDefault,
  resources: sorted(document.resources, ({ slug }: Document) => slug).map(plain),
  features: sorted(document.features, ({ slug }: Document) => slug).map(plain),
  usageMeters: sorted(document.usageMeters, ({ usageMeter }: Document) => usageMeter.slug).map(
    ({ usageMeter, prices }: Document) => ({ usageMeter, prices: pricesOf(prices) }),
  ),
  products: sorted(document.products, ({ product }: Document) => product.slug).map(
    ({ product, price, otherPrices, features }: Document) => ({
      product: { default: false, ...product },
      prices: pricesOf([price, ...(otherPrices ?? [])]),
      features: features.toSorted(),
    }),
  ),
});

const plain = (fields: object) => present({ ...fields, active: true });
const pricesOf = (prices: readonly object[]) =>
  sorted(
    prices.map((price) => plain({ currency: 'USD', ...price })),
    (price) => JSON.stringify(price, Object.keys(price).toSorted()),
  );
