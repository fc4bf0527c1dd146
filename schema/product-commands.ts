import { createProduct, createProductInput } from '#domain/products/create-product.ts';
import { Product } from '#domain/products/product.ts';
import { updateProduct, updateProductInput } from '#domain/products/update-product.ts';
import { builder } from './engine/builder.ts';
import { PriceChangesInput, ProductPriceInput } from './prices.ts';

const CreateProduct = builder.inputType('CreateProductInput', {
  description: 'A new product.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name for people.' }),
    slug: t.string({
      required: true,
      description: 'The name for programs, unique in the pricing model.',
    }),
    description: t.string({ description: 'What it is, for people.' }),
    imageURL: t.string({ description: 'The http or https address of a picture.' }),
    active: t.boolean({ description: 'Whether it can be sold; true when absent.' }),
    singularQuantityLabel: t.string({ description: 'What one unit is called, such as seat.' }),
    pluralQuantityLabel: t.string({ description: 'What several units are called, such as seats.' }),
    pricingModelId: t.id({
      description: 'The pricing model of the API key, which is the default.',
    }),
    default: t.boolean({
      description: 'Must not be true: a default comes with its pricing model.',
    }),
  }),
});

const UpdateProduct = builder.inputType('UpdateProductInput', {
  description: 'Changes to a product; what is absent stays. An empty text empties a text.',
  fields: (t) => ({
    id: t.id({ description: 'The id again; must equal that of the call.' }),
    name: t.string({ description: 'The name for people.' }),
    slug: t.string({ description: 'The name for programs; the price in use gets it too.' }),
    description: t.string({ description: 'What it is, for people.' }),
    imageURL: t.string({ description: 'The http or https address of a picture.' }),
    active: t.boolean({ description: 'Whether it can be sold; the default product always can.' }),
    singularQuantityLabel: t.string({ description: 'What one unit is called, such as seat.' }),
    pluralQuantityLabel: t.string({ description: 'What several units are called, such as seats.' }),
    default: t.boolean({ description: 'Cannot change.' }),
  }),
});

const featureIdsDescription = 'The ids of all features that it grants, at most 1,000';

builder.mutationFields((t) => ({
  createProduct: t.field({
    type: Product,
    description:
      'Adds a product with its price and features. Errors: BAD_REQUEST for a taken slug, a usage price, a feature that cannot be granted; FORBIDDEN for a second default product.',
    args: {
      product: t.arg({ type: CreateProduct, required: true, description: 'The product.' }),
      price: t.arg({ type: ProductPriceInput, required: true, description: 'Its price.' }),
      featureIds: t.arg.idList({ description: `${featureIdsDescription}; none when absent.` }),
    },
    validate: { schema: createProductInput },
    resolve: (_root, args, session) => createProduct(session, args),
  }),
  updateProduct: t.field({
    type: Product,
    description:
      'Changes a product, its price and its features together. Errors: NOT_FOUND; BAD_REQUEST for a taken slug or a feature that cannot be granted; FORBIDDEN for what the default product keeps and for a price of another type.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the product.' }),
      product: t.arg({ type: UpdateProduct, description: 'The changes.' }),
      price: t.arg({ type: PriceChangesInput, description: 'What it is to cost.' }),
      featureIds: t.arg.idList({ description: `${featureIdsDescription}; unchanged when absent.` }),
    },
    validate: { schema: updateProductInput },
    resolve: (_root, args, session) => updateProduct(session, args),
  }),
}));
