import {
  type DocumentNode,
  type FieldNode,
  type GraphQLFieldExtensions,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';

/** How a key is refused what takes a secret one. */
export const secretKeyNeeded = () =>
  new DomainError('FORBIDDEN', 'A publishable key reads the catalog only: use a secret key');

/**
 * Refuses an operation with a field that the key may not use, before its variables are looked at. Errors: FORBIDDEN.
 */
export function checkAccess(
  { keyType }: Pick<Session, 'keyType'>,
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string | null,
) {
  if (keyType === 'secret') return;
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) return;
  for (const { name } of rootFields(document, operation.selectionSet)) {
    const field = root.getFields()[name.value];
    if (field && !isOpen(field.extensions)) throw secretKeyNeeded();
  }
}

const isOpen = ({ pothosOptions }: GraphQLFieldExtensions<unknown, unknown>) =>
  pothosOptions?.authScopes?.anyKey === true;

/** The fields of an operation itself, also those that it takes from fragments. */
function* rootFields(
  document: DocumentNode,
  { selections }: SelectionSetNode,
  seen = new Set<string>(),
): Generator<FieldNode> {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) yield selection;
    else if (selection.kind === Kind.INLINE_FRAGMENT) {
      yield* rootFields(document, selection.selectionSet, seen);
    } else if (!seen.has(selection.name.value)) {
      seen.add(selection.name.value);
      const fragment = document.definitions.find(
        (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === selection.name.value,
      );
      if (fragment?.kind === Kind.FRAGMENT_DEFINITION) {
        yield* rootFields(document, fragment.selectionSet, seen);
      }
    }
  }
}
