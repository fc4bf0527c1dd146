import type { CustomerAddress as Address } from '#domain/model/platform/parties.ts';
import { nullable, of } from '../engine/fields.ts';
import { input, object } from '../engine/types.ts';
import { PostalAddress, PostalAddressInput } from '../shared/postal-addresses.ts';

const parts = {
  name: 'The name of the company or person that is billed; the customer’s display name when null.',
  firstName: 'The first name of a contact.',
  lastName: 'The last name of a contact.',
  email: 'The email address for invoices.',
  phone: 'The telephone number.',
  address: 'The postal address, with a country.',
} as const;

export const CustomerAddress = object<Address>('CustomerAddress')({
  description: 'The billing address of a customer.',
  fields: () => ({
    name: nullable.text(parts.name),
    firstName: nullable.text(parts.firstName),
    lastName: nullable.text(parts.lastName),
    email: nullable.text(parts.email),
    phone: nullable.text(parts.phone),
    address: of(PostalAddress, parts.address),
  }),
});

export const CustomerAddressInput = input('CustomerAddressInput', {
  description: 'The billing address of a customer, which invoices show.',
  fields: {
    name: nullable.text(parts.name),
    firstName: nullable.text(parts.firstName),
    lastName: nullable.text(parts.lastName),
    email: nullable.text(parts.email),
    phone: nullable.text(parts.phone),
    address: of(PostalAddressInput, parts.address),
  },
});
