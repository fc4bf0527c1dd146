/** The argument of a catalog document that was planned before. */
export const expectedCatalog = {
  description:
    'The `state` of the plan on which the change is based. If the catalog has another one, nothing changes. Errors: BAD_REQUEST with the code STALE.',
};

/** The argument of an update that compares versions. */
export const expectedVersion = {
  description:
    'The version on which the change is based. If the object has another one, nothing changes. Errors: BAD_REQUEST with the code STALE.',
};
