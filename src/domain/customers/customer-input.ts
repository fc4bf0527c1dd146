import { z } from 'zod';
import { labelInput, nameInput, slugInput, webAddressInput } from '#domain/kernel/inputs.ts';
import { collectionFields } from '#domain/rules/invoicing/collection-input.ts';
import { taxFields } from '#domain/rules/invoicing/tax-input.ts';

const address = webAddressInput.or(z.literal(''));

/** The fields of a customer that a caller sets. */
export const customerFields = {
  email: z.email().max(255),
  name: nameInput,
  logoURL: address.nullish(),
  iconURL: address.nullish(),
  domain: labelInput.nullish(),
  userId: labelInput.nullish(),
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
