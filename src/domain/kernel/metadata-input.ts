import { z } from 'zod';
import { coded } from './input-issues.ts';
import { keptText, labelInput, lostKey } from './inputs.ts';

const largestMetadata = 50;

const entriesInput = z
  .record(
    labelInput,
    z.union([keptText(500), z.number(), z.boolean()], {
      error: 'must be a text of up to 500 characters without U+0000, a number or a boolean',
    }),
  )
  .refine(
    (entries) => Object.keys(entries).length <= largestMetadata,
    coded('TOO_LONG', [], `has more than ${largestMetadata} entries`),
  );

/** Metadata of a caller: names with a text of up to 500 characters, a number or a boolean. */
export const metadataInput = z
  .unknown()
  .refine((entries) => !Object.hasOwn(entries ?? {}, '__proto__'), { error: lostKey, abort: true })
  .pipe(entriesInput);
