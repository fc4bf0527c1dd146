import { z } from 'zod';
import { taxExemptions } from '#domain/invoices/tax.ts';
import { postalAddressInput, storedAddress } from '#domain/kernel/address-input.ts';
import {
  keptText,
  labelInput,
  nameInput,
  slugInput,
  webAddressInput,
} from '#domain/kernel/inputs.ts';
import { languageInput } from '#domain/kernel/language-input.ts';
import { metadataInput } from '#domain/kernel/metadata-input.ts';
import { collectionFields } from '#domain/rules/invoicing/collection-input.ts';
import { taxIdsInput } from '#domain/rules/invoicing/tax-id-input.ts';
import { taxFields } from '#domain/rules/invoicing/tax-input.ts';
import { optionalKindsInput } from '#domain/rules/mailing/optional-kinds-input.ts';

const logo = webAddressInput.or(z.literal(''));

const line = labelInput.nullish();

/** The billing address of a customer, in the form in which it is stored. */
export const customerAddressInput = z
  .object({
    name: line,
    firstName: line,
    lastName: line,
    email: z.email().max(255).or(z.literal('')).nullish(),
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
  email: z.email().max(255),
  name: nameInput,
  logoURL: logo.nullish(),
  iconURL: logo.nullish(),
  domain: labelInput.nullish(),
  userId: labelInput.nullish(),
  billingAddress: customerAddressInput.nullish(),
  taxIds: taxIdsInput.nullish(),
  language: languageInput.nullish(),
  mailsOff: optionalKindsInput.nullish(),
  metadata: metadataInput.nullish(),
  taxExempt: z.enum(taxExemptions).nullish(),
  consolidatesInvoices: z.boolean().nullish(),
  buyerReference: keptText(100).trim().min(1).nullish(),
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
