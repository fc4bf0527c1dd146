import type { CustomerAddress as Address } from '#domain/model/platform/parties.ts';
import { builder } from '../engine/builder.ts';
import { PostalAddress, PostalAddressInput } from '../shared/postal-addresses.ts';

const parts = {
  name: 'The name of the company or person that is billed; the customer’s display name when null.',
  firstName: 'The first name of a contact.',
  lastName: 'The last name of a contact.',
  email: 'The email address for invoices.',
  phone: 'The telephone number.',
  address: 'The postal address, with a country.',
} as const;

export const CustomerAddress = builder.objectRef<Address>('CustomerAddress').implement({
  description: 'The billing address of a customer.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: parts.name }),
    firstName: t.exposeString('firstName', { nullable: true, description: parts.firstName }),
    lastName: t.exposeString('lastName', { nullable: true, description: parts.lastName }),
    email: t.exposeString('email', { nullable: true, description: parts.email }),
    phone: t.exposeString('phone', { nullable: true, description: parts.phone }),
    address: t.expose('address', { type: PostalAddress, description: parts.address }),
  }),
});

export const CustomerAddressInput = builder.inputType('CustomerAddressInput', {
  description: 'The billing address of a customer, which invoices show.',
  fields: (t) => ({
    name: t.string({ description: parts.name }),
    firstName: t.string({ description: parts.firstName }),
    lastName: t.string({ description: parts.lastName }),
    email: t.string({ description: parts.email }),
    phone: t.string({ description: parts.phone }),
    address: t.field({
      type: PostalAddressInput,
      required: true,
      description: parts.address,
    }),
  }),
});
