import type { DocumentNode } from '@0no-co/graphql.web';

/** The name of the operation of a document. */
export function nameOf({ definitions }: DocumentNode): string {
  const names = definitions.map((definition) =>
    definition.kind === 'OperationDefinition' ? definition.name?.value : undefined,
  );
  return names.find((name) => name !== undefined) ?? 'Operation';
}
