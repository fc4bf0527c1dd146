import type { PrepaidOffer as Offer } from '#domain/model/platform/prepaid-offer.ts';
import { nullable, of, text } from '../engine/fields.ts';
import { input, object } from '../engine/types.ts';

const parts = {
  currency: 'The currency, an ISO 4217 code; one offer for each.',
  amounts: 'The amounts to choose from, in minor units, the smallest first.',
  minimum:
    'The smallest amount of the customer’s own choice; null where only `amounts` are offered.',
  maximum:
    'The largest amount of the customer’s own choice; null where only `amounts` are offered.',
  validDays: 'The days from the grant to the expiry; null for credit that does not expire.',
} as const;

export const PrepaidOffer = object<Offer>('PrepaidOffer')({
  description: 'The prepaid credit that customers may buy in one currency.',
  fields: () => ({
    currency: text(parts.currency),
    amounts: of(['SafeInt'], parts.amounts),
    minimum: nullable.safeInt(parts.minimum),
    maximum: nullable.safeInt(parts.maximum),
    validDays: nullable.int(parts.validDays),
  }),
});

export const PrepaidOfferInput = input('PrepaidOfferInput', {
  description:
    'The prepaid credit that customers may buy in one currency: amounts to choose from, limits of their own choice, or both.',
  fields: {
    currency: text(parts.currency),
    amounts: nullable.of(['SafeInt'], 'The amounts to choose from, in minor units, at most 12.'),
    minimum: nullable.safeInt('The smallest amount of the customer’s own choice, with `maximum`.'),
    maximum: nullable.safeInt('The largest amount of the customer’s own choice, with `minimum`.'),
    validDays: nullable.int(
      'The days from the grant to the expiry; absent for credit that does not expire.',
    ),
  },
});
