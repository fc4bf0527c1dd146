/** The example bodies that fill a catalog: a meter, a discount, a tax rate, a resource, a feature and a product. */
export const catalogExamples = {
  createUsageMeter: {
    usageMeter: { name: 'API calls', slug: 'api-calls' },
    price: { unitPrice: 2, usageEventsPerUnit: 10 },
  },
  updateUsageMeter: { usageMeter: { name: 'Calls' } },
  createDiscount: {
    discount: {
      name: 'Welcome',
      code: 'WELCOME20',
      amountType: 'percent',
      amount: 20,
      duration: 'number_of_payments',
      numberOfPayments: 3,
    },
  },
  updateDiscount: {
    discount: {
      id: 'discount_last',
      code: 'WELCOME20',
      amountType: 'percent',
      amount: 25,
      duration: 'once',
    },
  },
  createTaxRate: {
    taxRate: { name: 'GST', taxType: 'gst', ratePercentage: '5', country: 'CA' },
  },
  updateTaxRate: { taxRate: { name: 'GST of Canada' } },
  createResource: { resource: { name: 'Seats', slug: 'seats' } },
  updateResource: { resource: { name: 'Team seats' } },
  createFeature: {
    feature: {
      type: 'resource',
      name: 'Five seats',
      slug: 'five-seats',
      description: 'Five people can work at the same time.',
      amount: 5,
      resourceId: 'resource_last',
    },
  },
  updateFeature: { feature: { description: 'Up to five people can work at the same time.' } },
  createProduct: {
    product: { name: 'Pro', slug: 'pro', description: 'For a team' },
    price: { type: 'subscription', slug: 'pro-monthly', unitPrice: 2000, intervalUnit: 'month' },
  },
  createPrice: {
    price: {
      type: 'subscription',
      productId: 'prod_last',
      slug: 'pro-yearly',
      unitPrice: 20000,
      intervalUnit: 'year',
      isDefault: false,
    },
  },
  updatePrice: { price: { name: 'Pro, yearly' } },
  createProductFeature: { productFeature: { productId: 'prod_last', featureId: 'feature_last' } },
  updateProduct: { product: { singularQuantityLabel: 'team', pluralQuantityLabel: 'teams' } },
};
