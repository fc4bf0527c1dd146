import type { ReckonedTerm } from '#domain/model/subscriptions/commitment.ts';
import { safeInt } from '../engine/fields.ts';
import { object } from '../engine/types.ts';

const instant = (of: (term: ReckonedTerm) => number) => (term: ReckonedTerm) => new Date(of(term));

export const ReckonedCommitment = object<ReckonedTerm>('ReckonedCommitment')({
  description:
    'The reckoning of a commitment by an invoice line; amounts in minor units, before discounts and tax.',
  fields: (t) => ({
    start: t.field({
      type: 'Timestamp',
      description: 'The start of the term.',
      resolve: instant(({ start }) => start),
    }),
    end: t.field({
      type: 'Timestamp',
      description: 'The end of the last billing period that was reckoned.',
      resolve: instant(({ end }) => end),
    }),
    amount: safeInt('The amount of a whole term.'),
    committed: safeInt('The amount that the reckoned billing periods commit.'),
    usage: safeInt('The usage that counts.'),
    plan: safeInt('The charges for the plan that count.'),
    before: safeInt('The sum of earlier lines for the term.'),
    rest: safeInt('The part of the difference that is not on the line.'),
  }),
});
