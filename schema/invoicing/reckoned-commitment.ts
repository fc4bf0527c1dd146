import type { ReckonedTerm } from '#domain/model/subscriptions/commitment.ts';
import { builder } from '../engine/builder.ts';

const instant = (of: (term: ReckonedTerm) => number) => (term: ReckonedTerm) => new Date(of(term));

export const ReckonedCommitment = builder.objectRef<ReckonedTerm>('ReckonedCommitment').implement({
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
    amount: t.expose('amount', { type: 'SafeInt', description: 'The amount of a whole term.' }),
    committed: t.expose('committed', {
      type: 'SafeInt',
      description: 'The amount that the reckoned billing periods commit.',
    }),
    usage: t.expose('usage', { type: 'SafeInt', description: 'The usage that counts.' }),
    plan: t.expose('plan', {
      type: 'SafeInt',
      description: 'The charges for the plan that count.',
    }),
    before: t.expose('before', {
      type: 'SafeInt',
      description: 'The sum of earlier lines for the term.',
    }),
    rest: t.expose('rest', {
      type: 'SafeInt',
      description: 'The part of the difference that is not on the line.',
    }),
  }),
});
