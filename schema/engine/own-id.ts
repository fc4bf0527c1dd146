/**
 * The id of records with a prefix, which is their property `id`. The relay plugin would encode each id by a resolver
 * that makes promises, but the ids are global as they are: without a resolver a list of 100 makes none.
 */
export const ownId = (prefix: string) => ({
  resolve: ({ id }: { readonly id: string }) => id,
  description: `The id, \`${prefix}_…\`.`,
  extensions: { pothosExposedField: 'id' },
});
