import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { get, list, post, put } from '../engine/route.ts';
import { feature } from './features.ts';
import { price } from './prices.ts';

const product = fragment(/* GraphQL */ `
  fragment Product on Product {
    id createdAt updatedAt livemode name description imageURL organizationId active
    singularQuantityLabel pluralQuantityLabel pricingModelId default slug addOn @extra
  }
`);

/** A product with all its prices and the features that it currently grants. */
const productWithPrices = fragment(
  /* GraphQL */ `
    fragment ProductWithPrices on Product {
      ...Product
      prices { ...Price }
      defaultPrice { ...Price }
      features { ...Feature }
    }
  `,
  [product, price, feature],
);

/** A product as customers can buy it: without the prices that are retired. */
export const productOnSale = fragment(
  /* GraphQL */ `
    fragment ProductOnSale on Product {
      ...Product
      prices: activePrices { ...Price }
      defaultPrice { ...Price }
      features { ...Feature }
    }
  `,
  [product, price, feature],
);

export const products = [
  list('/products', 'products', product),
  get(
    '/products/:id',
    /* GraphQL */ `
      query GetProduct($id: ID!) { body: product(id: $id) { ...ProductWithPrices } }
      ${productWithPrices}
    `,
    { versioned: 'body' },
  ),
  post(
    '/products',
    mutation(
      'createProduct',
      '$product: CreateProductInput!, $price: ProductPriceInput!, $featureIds: [ID!]',
      { product },
    ),
    { versioned: 'body.product' },
  ),
  put(
    '/products/:id',
    mutation(
      'updateProduct',
      /* GraphQL */ `
        $id: ID!
        $product: UpdateProductInput
        $price: PriceChangesInput
        $featureIds: [ID!]
      `,
      { product },
    ),
    { versioned: 'body.product' },
  ),
];
