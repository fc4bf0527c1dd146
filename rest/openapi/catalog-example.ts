/** A catalog as one document: a meter, a resource, a feature and a product. */
export const catalogDocument = {
  name: 'Catalog',
  resources: [{ slug: 'seats', name: 'Seats' }],
  usageMeters: [
    {
      usageMeter: { slug: 'api-calls', name: 'API calls' },
      prices: [
        {
          type: 'usage',
          slug: 'api-calls-usual',
          isDefault: true,
          unitPrice: 2,
          usageEventsPerUnit: 10,
          intervalUnit: 'month',
          intervalCount: 1,
        },
      ],
    },
  ],
  features: [
    {
      type: 'resource',
      slug: 'five-seats',
      name: 'Five seats',
      description: 'Five people can work at the same time.',
      amount: 5,
      resourceSlug: 'seats',
    },
  ],
  products: [
    {
      product: { slug: 'team', name: 'Team', active: true },
      price: {
        type: 'subscription',
        slug: 'team-monthly',
        isDefault: true,
        unitPrice: 2000,
        intervalUnit: 'month',
        intervalCount: 1,
      },
      features: ['five-seats'],
    },
  ],
};
