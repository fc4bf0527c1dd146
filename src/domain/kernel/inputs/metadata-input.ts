import { z } from 'zod';
import { coded } from './input-issues.ts';
import { keptText, labelInput, lostKey } from './inputs.ts';
import { problemOfJson } from './json-object-input.ts';

const largestMetadata = 50;

const isNested = (value: unknown) => typeof value === 'object';
// Another kind of value leaves the problem to its own kind.
const nestedInput = z.unknown().refine(isNested, { abort: true });

const entriesInput = z
  .record(
    labelInput,
    z.union([keptText(500), z.number(), z.boolean(), nestedInput], {
      error:
        'must be a text of up to 500 characters without U+0000, a number, a boolean, a list or an object',
    }),
  )
  .refine(
    (entries) => Object.keys(entries).length <= largestMetadata,
    coded('TOO_LONG', [], `has more than ${largestMetadata} entries`),
  )
  .superRefine((entries, { addIssue }) => {
    // Flat entries are limited one by one.
    const problem = Object.values(entries).some(isNested) ? problemOfJson(entries) : undefined;
    if (!problem) return;
    if (!problem.isLength) return addIssue(problem.message);
    addIssue({ code: 'custom', ...coded('TOO_LONG', [], problem.message) });
  });

/** The entries of metadata; one that is null is absent. */
const present = (entries: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== null));

/** Metadata of a caller: names with a text of up to 500 characters, a number, a boolean, or nested values. */
export const metadataInput = z
  .unknown()
  .refine((entries) => !Object.hasOwn(entries ?? {}, '__proto__'), { error: lostKey, abort: true })
  .pipe(entriesInput)
  .transform(present);
