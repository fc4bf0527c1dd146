import { Purchase } from '#domain/model/money/purchase.ts';
import {
  createPurchase,
  createPurchaseInput,
} from '#domain/money/commands/purchases/create-purchase.ts';
import { id, nullable, of } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';

const CreatePurchase = input('CreatePurchaseInput', {
  description: 'The order of a product with a single payment.',
  fields: {
    customerId: id('The customer.'),
    priceId: nullable.id('The price, which has a single payment; alternative to `priceSlug`.'),
    priceSlug: nullable.text('The slug of the price; alternative to `priceId`.'),
    quantity: nullable.int('The number of units; 1 when absent.'),
    paymentMethodId: nullable.id(
      'The payment method to charge; the customer’s default when absent.',
    ),
    metadata: nullable.json('Your own data.'),
  },
});

mutation('createPurchase', {
  returns: [Purchase, 'The new purchase.'],
  extensions: { inSteps: true },
  description:
    'Buys a product with a single payment for a customer, by an invoice that is charged now. Once that is paid, the product grants its features and usage credits. Errors: BAD_REQUEST for an unknown object, an archived customer, another kind of price, and without a payment method.',
  args: { purchase: of(CreatePurchase, 'The order.') },
  input: createPurchaseInput,
  command: createPurchase,
});
