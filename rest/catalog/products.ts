import { fragment } from '../engine/fragment.ts';
import { get, list, post, put } from '../engine/route.ts';
import { feature } from './features.ts';
import { price } from './prices.ts';

const product = fragment(
  'Product',
  /* GraphQL */ `
    fragment Product on Product {
      id createdAt updatedAt livemode name description imageURL organizationId active
      singularQuantityLabel pluralQuantityLabel pricingModelId default slug addOn @extra
    }
  `,
);

/** A product with all its prices and the features that it currently grants. */
const productWithPrices = fragment(
  'ProductWithPrices',
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
  'ProductOnSale',
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
    /* GraphQL */ `
      mutation CreateProduct($product: CreateProductInput!, $price: ProductPriceInput!, $featureIds: [ID!]) {
        body: createProduct(product: $product, price: $price, featureIds: $featureIds) { product { ...Product } }
      }
      ${product}
    `,
    { versioned: 'body.product' },
  ),
  put(
    '/products/:id',
    /* GraphQL */ `
      mutation UpdateProduct(
        $id: ID!
        $product: UpdateProductInput
        $price: PriceChangesInput
        $featureIds: [ID!]
      ) {
        body: updateProduct(id: $id, product: $product, price: $price, featureIds: $featureIds) {
          product {
            ...Product
          }
        }
      }
      ${product}
    `,
    { versioned: 'body.product' },
  ),
];
