import { z } from 'zod';
import { labelInput } from '../inputs.ts';

const largestMetadata = 50;

/** Whatever a caller wants to find again: names with a text of up to 500 characters, a number or a boolean. */
export const metadataInput = z
  .record(labelInput, z.union([z.string().max(500), z.number(), z.boolean()]))
  .refine(
    (entries) => Object.keys(entries).length <= largestMetadata,
    `has more than ${largestMetadata} entries`,
  );
