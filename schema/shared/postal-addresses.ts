import type { PostalAddress as Postal } from '#domain/model/platform/payment-method.ts';
import { nullable } from '../engine/fields.ts';
import { input, object } from '../engine/types.ts';

/** The lines of an address, for each type and each input that is one. */
export const addressLines = {
  name: nullable.text('The name at the address.'),
  line1: nullable.text('The street and number.'),
  line2: nullable.text('Further address details, such as floor or apartment.'),
  city: nullable.text('The city.'),
  state: nullable.text('The state, province or region.'),
  postal_code: nullable.text('The postal code.'),
  country: nullable.text('The country, an ISO 3166-1 code of two capital letters.'),
};

export const PostalAddress = object<Postal>('PostalAddress')({
  description: 'A postal address.',
  fields: () => addressLines,
});

export const PostalAddressInput = input('PostalAddressInput', {
  description: 'A postal address.',
  fields: addressLines,
});
