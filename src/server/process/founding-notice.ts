/**
 * The notice to the user who starts the first process, printed once. It does not go to the log,
 * which is kept.
 */
export function foundingNotice(credential: string) {
  return `
This database was empty. It has an organization now, whose secret test key is

  ${credential}

It is stored as a hash only, so this is the one time it is shown.

`;
}
