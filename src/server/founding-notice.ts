/** The notice for the operator at the first start, once. It is not for the log, which is kept. */
export function foundingNotice(credential: string) {
  return `
This database was empty. It has an organization now, whose secret test key is

  ${credential}

It is stored as a hash only, so this is the one time it is shown.

`;
}
