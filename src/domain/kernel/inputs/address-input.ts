import { z } from 'zod';
import { countryInput } from './countries.ts';
import { labelInput } from './inputs.ts';

const line = labelInput.nullish();

/** A postal address with a country. */
export const postalAddressInput = z.object({
  name: line,
  line1: line,
  line2: line,
  city: line,
  state: line,
  postal_code: line,
  country: countryInput,
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
