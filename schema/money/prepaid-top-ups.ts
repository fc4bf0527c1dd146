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
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { payload } from '../engine/payload.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
import { optionalReference, reference } from '../engine/reference.ts';
import { byFlag, byId, byPresence } from '../engine/where.ts';

const threshold =
  'It buys when the prepaid balance is at or below this amount, in minor units, 0 or more.';
const amount = 'The amount of a purchase, in minor units, 1 or more.';
const mostPerMonth =
  'The largest amount that it buys in a calendar month of UTC, in minor units; at least that of one purchase.';
const pending = 'The credit whose invoice is not decided. Meanwhile it does not buy.';

builder.node(PrepaidTopUp, {
  name: 'PrepaidTopUp',
  description: 'A rule that buys prepaid credit for a customer when little remains.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('prepaid_top_up'),
  loadOne: loadOne(PrepaidTopUp),
  fields: (t) => ({
    customerId: t.exposeID('customerId', { description: 'The customer.' }),
    customer: t.field(reference(Customer, 'customerId', 'The customer.')),
    currency: t.exposeString('currency', {
      description: 'The currency, an ISO 4217 code in upper case.',
    }),
    threshold: t.expose('threshold', { type: 'SafeInt', description: threshold }),
    amount: t.expose('amount', { type: 'SafeInt', description: amount }),
    mostPerMonth: t.expose('mostPerMonth', { type: 'SafeInt', description: mostPerMonth }),
    boughtInMonth: t.expose('boughtInMonth', {
      type: 'SafeInt',
      description:
        'The amount that top-ups of the customer bought in the month of its latest purchase.',
    }),
    validDays: t.exposeInt('validDays', {
      nullable: true,
      description: 'The days for which the bought credit is valid; null for always.',
    }),
    active: t.exposeBoolean('active', { description: 'Whether it buys.' }),
    problem: t.exposeString('problem', {
      nullable: true,
      description:
        'The reason why it has stopped; null unless a purchase was not paid or was refunded, disputed or reversed.',
    }),
    pendingCreditId: t.exposeID('pendingCreditId', { nullable: true, description: pending }),
    pendingCredit: t.field(optionalReference(PrepaidCredit, 'pendingCreditId', pending)),
    waitsUntil: t.expose('waitsUntil', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it may buy again, since its month has no room; null otherwise.',
    }),
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

const CreatePrepaidTopUp = builder.inputType('CreatePrepaidTopUpInput', {
  description: 'A rule that buys prepaid credit for a customer when little remains.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: 'The customer.' }),
    currency: t.string({
      description: 'The currency, an ISO 4217 code; that of the customer when absent.',
    }),
    threshold: t.field({ type: 'SafeInt', required: true, description: threshold }),
    amount: t.field({ type: 'SafeInt', required: true, description: amount }),
    mostPerMonth: t.field({ type: 'SafeInt', required: true, description: mostPerMonth }),
    validDays: t.int({
      description: 'The days for which the bought credit is valid; absent for always.',
    }),
  }),
});

const UpdatePrepaidTopUp = builder.inputType('UpdatePrepaidTopUpInput', {
  description: 'Changes to a prepaid top-up; absent fields do not change.',
  fields: (t) => ({
    id: t.id({ description: 'The id, repeated; it must equal the id of the request.' }),
    threshold: t.field({ type: 'SafeInt', description: threshold }),
    amount: t.field({ type: 'SafeInt', description: amount }),
    mostPerMonth: t.field({ type: 'SafeInt', description: mostPerMonth }),
    active: t.boolean({
      description: 'False stops it; true starts a stopped one again, and empties its problem.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createPrepaidTopUp: t.field({
    type: payload('createPrepaidTopUp', PrepaidTopUp, 'The new prepaid top up.'),
    description:
      'Creates a top-up of the prepaid balance of a customer. If little remains already, it buys within seconds. Errors: BAD_REQUEST for an unknown or archived customer, another currency than the customer’s, and a second active top-up.',
    args: {
      prepaidTopUp: t.arg({ type: CreatePrepaidTopUp, required: true, description: 'The top-up.' }),
    },
    validate: { schema: createPrepaidTopUpInput },
    resolve: (_root, args, session) => createPrepaidTopUp(session, args),
  }),
  updatePrepaidTopUp: t.field({
    type: payload('updatePrepaidTopUp', PrepaidTopUp, 'The changed prepaid top up.'),
    description:
      'Changes the amounts of a prepaid top-up, stops it, or starts it again. Errors: NOT_FOUND; BAD_REQUEST for a month with less room than it has used or one purchase needs. BAD_REQUEST for an archived customer, and a second active top-up.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the top-up.' }),
      prepaidTopUp: t.arg({
        type: UpdatePrepaidTopUp,
        required: true,
        description: 'The changes.',
      }),
      expectedVersion: t.arg.int(expectedVersion),
    },
    validate: { schema: updatePrepaidTopUpInput },
    resolve: (_root, args, session) => updatePrepaidTopUp(session, args),
  }),
}));
