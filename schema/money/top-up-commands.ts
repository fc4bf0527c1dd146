import { TopUp } from '#domain/model/money/top-up.ts';
import { createTopUp, createTopUpInput } from '#domain/money/commands/top-ups/create-top-up.ts';
import { updateTopUp, updateTopUpInput } from '#domain/money/commands/top-ups/update-top-up.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { decimal, id, int, nullable, of, repeatedId } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';

const threshold =
  'It buys when the remaining credits are at or below this amount, which is 0 or more.';
const quantity = 'The number of units in a purchase, from 1 to 1000.';
const most = 'The largest number of purchases in a calendar month of UTC, from 1 to 1000.';

const CreateTopUp = input('CreateTopUpInput', {
  description: 'A rule that buys usage credits when few remain.',
  fields: {
    subscriptionId: id('The subscription.'),
    usageMeterId: nullable.id('The usage meter of the credits; alternative to `usageMeterSlug`.'),
    usageMeterSlug: nullable.text('The slug of the usage meter; alternative to `usageMeterId`.'),
    priceId: nullable.id(
      'The price of a package: a single payment, whose product grants credits of the meter. Alternative to `priceSlug`.',
    ),
    priceSlug: nullable.text('The slug of the price; alternative to `priceId`.'),
    threshold: decimal(threshold),
    quantity: nullable.int(`${quantity} It is 1 when absent.`),
    mostPerMonth: int(most),
  },
});

const UpdateTopUp = input('UpdateTopUpInput', {
  description: 'Changes to a top-up; absent fields do not change.',
  fields: {
    id: repeatedId,
    threshold: nullable.decimal(threshold),
    quantity: nullable.int(quantity),
    mostPerMonth: nullable.int(most),
    active: nullable.flag('False stops it; true starts it again, also after a payment has failed.'),
  },
});

mutation('createTopUp', {
  returns: [TopUp, 'The new top up.'],
  description:
    'Creates a top-up of a subscription and meter. It buys soon if few credits remain. Errors: BAD_REQUEST for an unknown object, an ended subscription, and a second active top-up of the meter. BAD_REQUEST for a price whose product grants no credits of the meter.',
  args: { topUp: of(CreateTopUp, 'The top-up.') },
  input: createTopUpInput,
  command: createTopUp,
});

mutation('updateTopUp', {
  returns: [TopUp, 'The changed top up.'],
  description:
    'Changes the threshold and the limits of a top-up, stops it, or starts it again. Errors: NOT_FOUND; BAD_REQUEST for fewer purchases than this month has had, an ended subscription, and a second active top-up of the meter.',
  args: {
    id: id('The id of the top-up.'),
    topUp: of(UpdateTopUp, 'The changes.'),
    expectedVersion,
  },
  input: updateTopUpInput,
  command: updateTopUp,
});
