import { countedAmounts, trueUpTimings } from '#domain/model/subscriptions/commitment.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import {
  type CommitmentTerm,
  commitmentTerm,
} from '#domain/subscriptions/commands/subscriptions/commitment-term.ts';
import { IntervalUnit } from '../catalog/prices.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { int, nullable, safeInt, time } from '../engine/fields.ts';
import { input, object } from '../engine/types.ts';

const TrueUpTiming = builder.enumType('TrueUpTiming', {
  description: 'The time when the difference to a commitment is charged.',
  values: described(trueUpTimings, {
    each_period:
      'Each billing period charges what the term has committed so far beyond what has counted. Later usage of the term reduces it.',
    at_end: 'The end of the term charges the difference.',
  }),
});

const CountedAmounts = builder.enumType('CountedAmounts', {
  description: 'The amounts that count for a commitment, before discounts and tax.',
  values: described(countedAmounts, {
    usage: 'Usage beyond credits counts.',
    all: 'Usage beyond credits and the charges for the plan count.',
  }),
});

export const CommitmentInput = input('CommitmentInput', {
  description: 'An amount that a customer commits to spend in each term.',
  fields: {
    amount: safeInt('The amount of a term in minor units, before discounts and tax, 1 to 10^14.'),
    interval: nullable.of(
      IntervalUnit,
      'The unit of the length of a term, a multiple of the billing interval; one billing period when absent.',
    ),
    intervalCount: nullable.int('The number of units of a term; 1 when absent.'),
    trueUp: nullable.of(TrueUpTiming, 'When the difference is charged; `at_end` when absent.'),
    counts: nullable.of(CountedAmounts, 'The amounts that count; `usage` when absent.'),
  },
});

const Term = object<CommitmentTerm>('CommitmentTerm')({
  description:
    'The running term of a commitment; amounts in minor units, before discounts and tax.',
  fields: () => ({
    start: time('The start of the term.'),
    end: time('The end of its current billing period.'),
    periods: int('The number of its billing periods.'),
    begun: int('The number of periods that have begun.'),
    committed: safeInt('The amount that the periods so far commit.'),
    reached: safeInt('The amounts so far that count.'),
    charged: safeInt('The differences that invoices have charged.'),
    missing: safeInt('The rest of the committed amount so far.'),
  }),
});

export const SubscriptionCommitment = object<Subscription>('SubscriptionCommitment')({
  description: 'An amount that the customer of a subscription commits to spend in each term.',
  fields: (t) => ({
    amount: t.field({
      type: 'SafeInt',
      description: 'The amount of a term in minor units, before discounts and tax.',
      resolve: ({ commitment }) => commitment?.amount ?? 0,
    }),
    interval: t.field({
      type: IntervalUnit,
      nullable: true,
      description: 'The unit of the length of a term.',
      resolve: ({ commitment }) => commitment?.interval.unit ?? null,
    }),
    intervalCount: t.int({
      description: 'The number of units of a term.',
      resolve: ({ commitment }) => commitment?.interval.count ?? 1,
    }),
    trueUp: t.field({
      type: TrueUpTiming,
      description: 'When the difference is charged.',
      resolve: ({ commitment }) => commitment?.trueUp ?? 'at_end',
    }),
    counts: t.field({
      type: CountedAmounts,
      description: 'The amounts that count.',
      resolve: ({ commitment }) => commitment?.counts ?? 'usage',
    }),
    term: t.field({
      type: Term,
      nullable: true,
      description: 'The running term; null before its first billing period.',
      resolve: (subscription, _args, session) => commitmentTerm(session, subscription),
    }),
  }),
});
