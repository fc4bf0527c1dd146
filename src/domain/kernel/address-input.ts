import { z } from 'zod';
import { labelInput } from './inputs.ts';

const line = labelInput.nullish();

/** A country as ISO 3166-1 names it. */
const countryCode = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be a country code of two capital letters (ISO 3166-1)');

/** A postal address with a country. */
export const postalAddressInput = z.object({
  name: line,
  line1: line,
  line2: line,
  city: line,
  state: line,
  postal_code: line,
  country: countryCode,
});

/** The address with all its lines: the feed shows the stored value, and a read shows each line. */
export const storedAddress = (given: z.output<typeof postalAddressInput>) => ({
  name: given.name || null,
  line1: given.line1 || null,
  line2: given.line2 || null,
  city: given.city || null,
  state: given.state || null,
  postal_code: given.postal_code || null,
  country: given.country,
});
