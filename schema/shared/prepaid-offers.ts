import type { PrepaidOffer as Offer } from '#domain/model/platform/prepaid-offer.ts';
import { builder } from '../engine/builder.ts';

const parts = {
  currency: 'The currency, an ISO 4217 code; one offer for each.',
  amounts: 'The amounts to choose from, in minor units, the smallest first.',
  minimum:
    'The smallest amount of the customer’s own choice; null where only `amounts` are offered.',
  maximum:
    'The largest amount of the customer’s own choice; null where only `amounts` are offered.',
  validDays: 'The days from the grant to the expiry; null for credit that does not expire.',
} as const;

export const PrepaidOffer = builder.objectRef<Offer>('PrepaidOffer').implement({
  description: 'The prepaid credit that customers may buy in one currency.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: parts.currency }),
    amounts: t.field({
      type: ['SafeInt'],
      description: parts.amounts,
      resolve: ({ amounts }) => [...amounts],
    }),
    minimum: t.expose('minimum', {
      type: 'SafeInt',
      nullable: true,
      description: parts.minimum,
    }),
    maximum: t.expose('maximum', {
      type: 'SafeInt',
      nullable: true,
      description: parts.maximum,
    }),
    validDays: t.exposeInt('validDays', { nullable: true, description: parts.validDays }),
  }),
});

export const PrepaidOfferInput = builder.inputType('PrepaidOfferInput', {
  description:
    'The prepaid credit that customers may buy in one currency: amounts to choose from, limits of their own choice, or both.',
  fields: (t) => ({
    currency: t.string({ required: true, description: parts.currency }),
    amounts: t.field({
      type: ['SafeInt'],
      description: 'The amounts to choose from, in minor units, at most 12.',
    }),
    minimum: t.field({
      type: 'SafeInt',
      description: 'The smallest amount of the customer’s own choice, with `maximum`.',
    }),
    maximum: t.field({
      type: 'SafeInt',
      description: 'The largest amount of the customer’s own choice, with `minimum`.',
    }),
    validDays: t.int({
      description: 'The days from the grant to the expiry; absent for credit that does not expire.',
    }),
  }),
});
