import { z } from 'zod';
import { collectionFields } from '#domain/invoicing/billing/collection-input.ts';
import { taxIdsInput } from '#domain/invoicing/billing/tax-id-input.ts';
import { taxFields } from '#domain/invoicing/billing/tax-input.ts';
import { postalAddressInput, storedAddress } from '#domain/kernel/inputs/address-input.ts';
import { emailInput } from '#domain/kernel/inputs/email-input.ts';
import { labelInput, nameInput, slugInput } from '#domain/kernel/inputs/inputs.ts';
import { metadataInput } from '#domain/kernel/inputs/metadata-input.ts';
import { inputsOf } from '#domain/kernel/inputs/own-texts.ts';
import { optionalKindsInput } from '#domain/mail/optional-kinds-input.ts';
import { taxExemptions } from '#domain/model/catalog/tax.ts';
import { customerTexts } from '#domain/model/platform/customer-texts.ts';

const line = labelInput.nullish();

/** The billing address of a customer, in the form in which it is stored. */
const customerAddressInput = z
  .object({
    name: line,
    firstName: line,
    lastName: line,
    email: emailInput.or(z.literal('')).nullish(),
    phone: line,
    address: postalAddressInput,
  })
  .transform((given) => ({
    name: given.name || null,
    firstName: given.firstName || null,
    lastName: given.lastName || null,
    email: given.email || null,
    phone: given.phone || null,
    address: storedAddress(given.address),
  }));

/** The fields of a customer that a caller sets. */
export const customerFields = {
  email: emailInput,
  name: nameInput,
  ...inputsOf(customerTexts),
  billingAddress: customerAddressInput.nullish(),
  taxIds: taxIdsInput.nullish(),
  mailsOff: optionalKindsInput.nullish(),
  metadata: metadataInput.nullish(),
  taxExempt: z.enum(taxExemptions).nullish(),
  consolidatesInvoices: z.boolean().nullish(),
  ...taxFields,
  ...collectionFields,
};

/**
 * The organization's own name of a customer. Paths contain it, and every client removes segments of only dots from a
 * path.
 */
export const externalIdInput = slugInput.refine(
  (id) => id !== '.' && id !== '..',
  'must not be one or two dots, which a URL path cannot contain',
);
