import { createPrice, createPriceInput } from '#domain/catalog/commands/prices/create-price.ts';
import { updatePrice, updatePriceInput } from '#domain/catalog/commands/prices/update-price.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { nullEmpties } from '../engine/extensions.ts';
import { id, nullable, of, repeatedId } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';
import { pricingInputs } from './price-model-inputs.ts';
import { IntervalUnit, PriceType } from './prices.ts';

const CreatePrice = input('CreatePriceInput', {
  description: 'A new price of a product or of a usage meter.',
  fields: {
    type: of(PriceType, 'The type, which decides which fields apply.'),
    unitPrice: nullable.safeInt(
      'The price of one unit, or of a package, in minor units. Required for the models per_unit, flat and package; it follows from the others.',
    ),
    productId: nullable.id('The product; required unless it is a usage price.'),
    usageMeterId: nullable.id('The usage meter; required for a usage price.'),
    usageEventsPerUnit: nullable.safeInt(
      'The usage that makes up one unit; required for a usage price.',
    ),
    ...pricingInputs(),
    intervalUnit: nullable.of(
      IntervalUnit,
      'The unit of the billing interval; required unless it is a single payment.',
    ),
    intervalCount: nullable.int(
      'The number of interval units in the billing interval; 1 when absent.',
    ),
    trialPeriodDays: nullable.int(
      'The days before the first charge, for subscription prices only; none when absent.',
    ),
    currency: nullable.text('The currency, an ISO 4217 code; the organization’s when absent.'),
    name: nullable.text('The display name.'),
    slug: nullable.text('The slug, unique among active prices.'),
    isDefault: nullable.flag(
      'For a product: true when absent, which retires its other prices of the same currency; false adds the price next to them, as does another currency than that of the default price. For a usage meter: whether the price becomes the default in its currency; false when absent.',
    ),
    active: nullable.flag(
      'Whether the price is active; true when absent, and required for a new default price.',
    ),
  },
});

const UpdatePrice = input('UpdatePriceInput', {
  description:
    'Changes to a price: name, slug, active and isDefault. The other fields may be repeated but cannot change.',
  fields: {
    id: repeatedId,
    name: nullable.text('The display name.', nullEmpties),
    slug: nullable.text('The slug, unique among active prices.'),
    active: nullable.flag('Whether new records can use the price.'),
    isDefault: nullable.flag('True makes the price the default in place of the present one.'),
    type: nullable.of(PriceType, 'Cannot change; it must equal the present value.'),
    unitPrice: nullable.safeInt('Cannot change; it must equal the present value.'),
    currency: nullable.text('Cannot change; it must equal the present value.'),
    intervalUnit: nullable.of(IntervalUnit, 'Cannot change; it must equal the present value.'),
    intervalCount: nullable.int('Cannot change; it must equal the present value.'),
    trialPeriodDays: nullable.int('Cannot change; it must equal the present value.'),
    usageEventsPerUnit: nullable.safeInt('Cannot change; it must equal the present value.'),
    ...pricingInputs('Cannot change; it must equal the present value.'),
    productId: nullable.id('Cannot change; it must equal the present value.'),
    usageMeterId: nullable.id('Cannot change; it must equal the present value.'),
  },
});

mutation('createPrice', {
  returns: [Price, 'The new price.'],
  description:
    'Creates a price. A product’s new price becomes its default and retires the others of its currency. With `isDefault: false` the price is sold next to them, such as a yearly price next to a monthly one. Errors: BAD_REQUEST for a taken slug or an unknown product or usage meter; FORBIDDEN for the default product and for another type.',
  args: { price: of(CreatePrice, 'The price.') },
  input: createPriceInput,
  command: createPrice,
});

mutation('updatePrice', {
  returns: [Price, 'The changed price.'],
  description:
    'Changes a price except its amounts. Errors: NOT_FOUND; BAD_REQUEST for a changed amount or a taken slug; FORBIDDEN for the price of the default product.',
  args: {
    id: id('The id of the price.'),
    price: of(UpdatePrice, 'The changes.'),
    expectedVersion,
  },
  input: updatePriceInput,
  command: updatePrice,
});
