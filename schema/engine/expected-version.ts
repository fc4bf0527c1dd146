/** The argument of an update that compares versions. */
export const expectedVersion = {
  description:
    'The version on which the change is based. If the object has another one, nothing changes. Errors: BAD_REQUEST with the code STALE.',
};
