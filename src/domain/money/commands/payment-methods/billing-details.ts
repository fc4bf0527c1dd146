import { z } from 'zod';
import { countryInput } from '#domain/kernel/inputs/countries.ts';
import { emailInput } from '#domain/kernel/inputs/email-input.ts';
import { labelInput } from '#domain/kernel/inputs/inputs.ts';
import type { BillingDetails, PostalAddress } from '#domain/model/platform/payment-method.ts';

const line = labelInput.nullish();
const postalAddress = {
  name: line,
  line1: line,
  line2: line,
  city: line,
  state: line,
  postal_code: line,
  country: countryInput.nullish(),
};

/** The billing details that a caller gives. */
export const billingDetailsInput = z.object({
  name: line,
  email: emailInput.nullish(),
  address: z.object({ ...postalAddress, address: z.object(postalAddress).nullish() }).nullish(),
});

type Given = z.output<typeof billingDetailsInput> | null | undefined;

/** The details as they are stored; the customer's data take the place of absent ones. */
export const billingDetailsOf = (
  given: Given,
  customer: { readonly name: string; readonly email: string },
): BillingDetails => ({
  name: given?.name ?? customer.name,
  email: given?.email ?? customer.email,
  address: {
    ...postal(given?.address),
    address: postal(given?.address?.address ?? given?.address),
  },
});

/** An address with all its lines: the feed shows the stored value, and a read shows each line. */
const postal = (given: PostalAddress | null | undefined) => ({
  name: given?.name ?? null,
  line1: given?.line1 ?? null,
  line2: given?.line2 ?? null,
  city: given?.city ?? null,
  state: given?.state ?? null,
  postal_code: given?.postal_code ?? null,
  country: given?.country ?? null,
});

/** Stored details after a change: absent fields stay, and an address is replaced as a whole. */
export const changedDetails = (
  stored: BillingDetails,
  given: NonNullable<Given>,
): BillingDetails => ({
  name: given.name ?? stored.name,
  email: given.email ?? stored.email,
  address: given.address
    ? { ...postal(given.address), address: postal(given.address.address ?? given.address) }
    : stored.address,
});
