import { pairsOf } from '../fields/metadata-pairs.ts';

/** The key-value pairs of a record as facts. */
export const metadataFacts = (metadata: unknown): (readonly [string, string])[] =>
  pairsOf(metadata).map(({ name, value }) => [name, value]);
