import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { PrepaidTopUp } from '#domain/model/money/prepaid-top-up.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import {
  createPrepaidTopUp,
  createPrepaidTopUpInput,
} from '#domain/money/commands/prepaid-top-ups/create-prepaid-top-up.ts';
import {
  updatePrepaidTopUp,
  updatePrepaidTopUpInput,
} from '#domain/money/commands/prepaid-top-ups/update-prepaid-top-up.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { flag, id, nullable, of, repeatedId, safeInt, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { readable } from '../engine/readable.ts';
import { withId, withOptionalId } from '../engine/reference.ts';
import { input, record } from '../engine/types.ts';
import { byFlag, byId, byPresence } from '../engine/where.ts';

const threshold =
  'It buys when the prepaid balance is at or below this amount, in minor units, 0 or more.';
const amount = 'The amount of a purchase, in minor units, 1 or more.';
const mostPerMonth =
  'The largest amount that it buys in a calendar month of UTC, in minor units; at least that of one purchase.';
const pending = 'The credit whose invoice is not decided. Meanwhile it does not buy.';

record(PrepaidTopUp, {
  description: 'A rule that buys prepaid credit for a customer when little remains.',
  fields: () => ({
    ...withId('customer', Customer, 'The customer.'),
    currency: text('The currency, an ISO 4217 code in upper case.'),
    threshold: safeInt(threshold),
    amount: safeInt(amount),
    mostPerMonth: safeInt(mostPerMonth),
    boughtInMonth: safeInt(
      'The amount that top-ups of the customer bought in the month of its latest purchase.',
    ),
    validDays: nullable.int('The days for which the bought credit is valid; null for always.'),
    active: flag('Whether it buys.'),
    problem: nullable.text(
      'The reason why it has stopped; null unless a purchase was not paid or was refunded, disputed or reversed.',
    ),
    ...withOptionalId('pendingCredit', PrepaidCredit, pending),
    waitsUntil: nullable.time(
      'When it may buy again, since its month has no room; null otherwise.',
    ),
  }),
});

readable({
  one: 'prepaidTopUp',
  many: 'prepaidTopUps',
  noun: 'prepaid top-up',
  entity: PrepaidTopUp,
  where: {
    customer: byId('customer', 'The customer.'),
    active: byFlag('active', 'Active (true) or inactive (false).'),
    stopped: byPresence('problem', 'Whether it has stopped with a problem.'),
  },
});

builder.objectField(Customer, 'prepaidTopUps', (t) =>
  listBelow(t, PrepaidTopUp, {
    by: 'customer',
    description: 'The top-ups of its prepaid balance.',
  }),
);

const CreatePrepaidTopUp = input('CreatePrepaidTopUpInput', {
  description: 'A rule that buys prepaid credit for a customer when little remains.',
  fields: {
    customerId: id('The customer.'),
    currency: nullable.text('The currency, an ISO 4217 code; that of the customer when absent.'),
    threshold: safeInt(threshold),
    amount: safeInt(amount),
    mostPerMonth: safeInt(mostPerMonth),
    validDays: nullable.int('The days for which the bought credit is valid; absent for always.'),
  },
});

const UpdatePrepaidTopUp = input('UpdatePrepaidTopUpInput', {
  description: 'Changes to a prepaid top-up; absent fields do not change.',
  fields: {
    id: repeatedId,
    threshold: nullable.safeInt(threshold),
    amount: nullable.safeInt(amount),
    mostPerMonth: nullable.safeInt(mostPerMonth),
    active: nullable.flag(
      'False stops it; true starts a stopped one again, and empties its problem.',
    ),
  },
});

mutation('createPrepaidTopUp', {
  returns: [PrepaidTopUp, 'The new prepaid top up.'],
  description:
    'Creates a top-up of the prepaid balance of a customer. If little remains already, it buys within seconds. Errors: BAD_REQUEST for an unknown or archived customer, another currency than the customer’s, and a second active top-up.',
  args: { prepaidTopUp: of(CreatePrepaidTopUp, 'The top-up.') },
  input: createPrepaidTopUpInput,
  command: createPrepaidTopUp,
});

mutation('updatePrepaidTopUp', {
  returns: [PrepaidTopUp, 'The changed prepaid top up.'],
  description:
    'Changes the amounts of a prepaid top-up, stops it, or starts it again. Errors: NOT_FOUND; BAD_REQUEST for a month with less room than it has used or one purchase needs. BAD_REQUEST for an archived customer, and a second active top-up.',
  args: {
    id: id('The id of the top-up.'),
    prepaidTopUp: of(UpdatePrepaidTopUp, 'The changes.'),
    expectedVersion,
  },
  input: updatePrepaidTopUpInput,
  command: updatePrepaidTopUp,
});
