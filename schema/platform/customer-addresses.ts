import type { CustomerAddress as Address } from '#domain/model/platform/parties.ts';
import { nullable, of } from '../engine/fields.ts';
import { input, object } from '../engine/types.ts';
import { PostalAddress, PostalAddressInput } from '../shared/postal-addresses.ts';

const contact = {
  name: nullable.text(
    'The name of the company or person that is billed; the customer’s display name when null.',
  ),
  firstName: nullable.text('The first name of a contact.'),
  lastName: nullable.text('The last name of a contact.'),
  email: nullable.text('The email address for invoices.'),
  phone: nullable.text('The telephone number.'),
};
const addressText = 'The postal address, with a country.';

export const CustomerAddress = object<Address>('CustomerAddress')({
  description: 'The billing address of a customer.',
  fields: () => ({ ...contact, address: of(PostalAddress, addressText) }),
});

export const CustomerAddressInput = input('CustomerAddressInput', {
  description: 'The billing address of a customer, which invoices show.',
  fields: { ...contact, address: of(PostalAddressInput, addressText) },
});
