import { nullable } from './fields.ts';

/** The argument of a catalog document that was planned before. */
export const expectedCatalog = nullable.text(
  'The `state` of the plan on which the change is based. If the catalog has another one, nothing changes. Errors: BAD_REQUEST with the code STALE.',
);

/** The argument of an update that compares versions. */
export const expectedVersion = nullable.int(
  'The version on which the change is based. If the object has another one, nothing changes. Errors: BAD_REQUEST with the code STALE.',
);
