import {
  createOneOffCharge,
  createOneOffChargeInput,
} from '#domain/invoicing/commands/one-off-charges/create-one-off-charge.ts';
import {
  deleteOneOffCharge,
  deleteOneOffChargeInput,
} from '#domain/invoicing/commands/one-off-charges/delete-one-off-charge.ts';
import {
  updateOneOffCharge,
  updateOneOffChargeInput,
} from '#domain/invoicing/commands/one-off-charges/update-one-off-charge.ts';
import { OneOffCharge } from '#domain/model/invoicing/one-off-charge.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { id, nullable, of, repeatedId, safeInt, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';

const name = 'The name, which the invoice shows.';
const description = 'The description, which the invoice shows after the name.';
const quantity = 'The quantity, above 0, with at most 9 decimal places.';
const unitPrice =
  'The price of one unit, 1 or more, in minor units of the currency of the subscription.';
const priceId = 'A price, whose product has the tax code. Its amount is not used.';

const CreateOneOffCharge = input('CreateOneOffChargeInput', {
  description: 'A charge that the next invoice of a subscription bills once.',
  fields: {
    subscriptionId: id('The subscription.'),
    name: text(name),
    description: nullable.text(description),
    quantity: nullable.float(`${quantity} It is 1 when absent.`),
    unitPrice: safeInt(unitPrice),
    priceId: nullable.id(priceId),
  },
});

const UpdateOneOffCharge = input('UpdateOneOffChargeInput', {
  description: 'Changes to a pending one-off charge; absent fields do not change.',
  fields: {
    id: repeatedId,
    name: nullable.text(name),
    description: nullable.text(`${description} Null empties it.`),
    quantity: nullable.float(quantity),
    unitPrice: nullable.safeInt(unitPrice),
    priceId: nullable.id(`${priceId} Null empties it.`),
  },
});

mutation('createOneOffCharge', {
  returns: [OneOffCharge, 'The new charge.'],
  description:
    'Adds a charge to the next invoice of a subscription: that of its next billing period, or the one after its end. Errors: BAD_REQUEST for a subscription that is unknown, ended, incomplete, free, never charged or without billing periods. BAD_REQUEST for an unknown price.',
  args: { oneOffCharge: of(CreateOneOffCharge, 'The charge.') },
  input: createOneOffChargeInput,
  command: createOneOffCharge,
});

mutation('updateOneOffCharge', {
  returns: [OneOffCharge, 'The changed charge.'],
  description:
    'Changes a pending one-off charge. Errors: NOT_FOUND; BAD_REQUEST for one that is billed, and for an unknown price.',
  args: {
    id: id('The id of the charge.'),
    oneOffCharge: of(UpdateOneOffCharge, 'The changes.'),
    expectedVersion,
  },
  input: updateOneOffChargeInput,
  command: updateOneOffCharge,
});

mutation('deleteOneOffCharge', {
  returns: [OneOffCharge, 'The deleted charge.'],
  description:
    'Deletes a pending one-off charge, and returns it. Errors: NOT_FOUND; BAD_REQUEST for one that is billed.',
  args: { id: id('The id of the charge.') },
  input: deleteOneOffChargeInput,
  command: deleteOneOffCharge,
});
