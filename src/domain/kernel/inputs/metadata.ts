/** Values of a caller that the service keeps with a record and never reads: a JSON object. */
export type Metadata = Record<string, unknown>;
