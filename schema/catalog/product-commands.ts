import {
  createProduct,
  createProductInput,
} from '#domain/catalog/commands/products/create-product.ts';
import {
  updateProduct,
  updateProductInput,
} from '#domain/catalog/commands/products/update-product.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { nullEmpties } from '../engine/extensions.ts';
import { id, nullable, of, repeatedId, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';
import { PriceChangesInput, ProductPriceInput } from './prices.ts';

const CreateProduct = input('CreateProductInput', {
  description: 'A new product.',
  fields: {
    name: text('The display name.'),
    slug: text('The slug, unique in the pricing model.'),
    description: nullable.text('The description.'),
    imageURL: nullable.text('The http or https URL of a picture.'),
    active: nullable.flag('Whether the product can be sold; true when absent.'),
    singularQuantityLabel: nullable.text('The label of one unit, such as seat.'),
    pluralQuantityLabel: nullable.text('The label of several units, such as seats.'),
    taxCode: nullable.text('The tax code, which tax rates name.'),
    addOn: nullable.flag(
      'Whether it adds to a plan, such as extra storage: the portal does not offer it as a plan; false when absent.',
    ),
    pricingModelId: nullable.id('The API key’s pricing model, which is the default.'),
    default: nullable.flag(
      'Must not be true; each pricing model creates its default product itself.',
    ),
  },
});

const UpdateProduct = input('UpdateProductInput', {
  description: 'Changes to a product. Absent fields do not change; null empties a text.',
  fields: {
    id: repeatedId,
    name: nullable.text('The display name.'),
    slug: nullable.text('The slug; the active price receives it too.'),
    description: nullable.text('The description.', nullEmpties),
    imageURL: nullable.text('The http or https URL of a picture.', nullEmpties),
    active: nullable.flag('Whether the product can be sold; the default product always can.'),
    singularQuantityLabel: nullable.text('The label of one unit, such as seat.', nullEmpties),
    pluralQuantityLabel: nullable.text('The label of several units, such as seats.', nullEmpties),
    taxCode: nullable.text('The tax code, which tax rates name; null removes it.', nullEmpties),
    addOn: nullable.flag(
      'Whether it adds to a plan, such as extra storage: the portal does not offer it as a plan. It must be false for the default product.',
    ),
    default: nullable.flag('Cannot change; it must equal the present value.'),
  },
});

const featureIdsDescription = 'The ids of all features that the product grants, at most 1,000';

mutation('createProduct', {
  returns: [Product, 'The new product.'],
  description:
    'Creates a product with its price and features. Errors: BAD_REQUEST for a taken slug, a usage price, or a feature that cannot be granted; FORBIDDEN for a second default product.',
  args: {
    product: of(CreateProduct, 'The product.'),
    price: of(ProductPriceInput, 'The price.'),
    featureIds: nullable.of(['ID'], `${featureIdsDescription}; none when absent.`),
  },
  input: createProductInput,
  command: createProduct,
});

mutation('updateProduct', {
  returns: [Product, 'The changed product.'],
  description:
    'Changes a product, its price and its features together. Errors: NOT_FOUND; BAD_REQUEST for a taken slug or a feature that cannot be granted; FORBIDDEN for a protected field of the default product and for a price of another type.',
  args: {
    id: id('The id of the product.'),
    product: nullable.of(UpdateProduct, 'The changes.'),
    price: nullable.of(PriceChangesInput, 'The changes to the default price.'),
    featureIds: nullable.of(['ID'], `${featureIdsDescription}; unchanged when absent.`),
    expectedVersion,
  },
  input: updateProductInput,
  command: updateProduct,
});
