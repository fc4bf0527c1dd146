import {
  type DocumentNode,
  type FieldNode,
  type GraphQLFieldExtensions,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { accountScopes, type CallerScope, hasScope } from '#domain/kernel/access-scopes.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { mutationScopes, operatorQueries } from './access-table.ts';
import { tokenLiveUpdates, tokenMutations, tokenQueries } from './token-access.ts';
import { checkTypes } from './type-access.ts';

/** The properties of a session that determine what it may do. */
export type Credential = Pick<Session, 'keyType' | 'operator' | 'scopes'>;

const forbidden = (message: string) =>
  new DomainError('FORBIDDEN', message, { reason: 'FORBIDDEN' });

/** How a key is refused what takes a secret one. */
export const secretKeyNeeded = () =>
  forbidden('A publishable key reads the catalog only: use a secret key');

const isOpen = ({ pothosOptions }: GraphQLFieldExtensions<unknown, unknown>) =>
  pothosOptions?.authScopes?.anyKey === true;

interface RootField {
  readonly operation: `${OperationTypeNode}`;
  readonly name: string;
  readonly extensions: GraphQLFieldExtensions<unknown, unknown>;
}

/** The root fields of a customer token, by the kind of operation. */
const ofTokens = {
  query: tokenQueries,
  mutation: tokenMutations,
  subscription: tokenLiveUpdates,
} as const;

/** Why a credential may not use a root field; undefined where it may. */
export function accessRefusal(
  { keyType, operator, scopes }: Credential,
  { operation, name, extensions }: RootField,
): DomainError | undefined {
  if (name.startsWith('__')) return undefined;
  if (keyType === 'publishable') {
    return isOpen(extensions) ? undefined : secretKeyNeeded();
  }
  if (keyType === 'customer_token' && !ofTokens[operation].has(name)) {
    return forbidden(`A customer token may not use ${name}: use a secret key on a server`);
  }
  const needed = operation === 'mutation' ? mutationScopes[name] : 'read';
  if (!operator && isOfOperators(name, needed)) {
    return forbidden(`${name} is for operators who have signed in: no API key may use it`);
  }
  if (scopes == null || (needed && hasScope(scopes, needed))) return undefined;
  const what = operator
    ? `role ${operator.role}`
    : keyType === 'secret'
      ? 'API key'
      : 'customer token';
  return forbidden(
    needed
      ? `${name} needs the scope ${needed}, which this ${what} does not have`
      : `${name} needs a secret key without scopes`,
  );
}

const isOfOperators = (name: string, needed: string | undefined) =>
  operatorQueries.has(name) || accountScopes.some((scope) => scope === needed);

/** A mutation that a credential may not use, and the scope that it needs. */
export interface RefusedMutation {
  readonly name: string;
  readonly scope: CallerScope | undefined;
}

/** All mutations that a credential may not use. */
export const refusedMutations = (
  credential: Credential,
  schema: GraphQLSchema,
): readonly RefusedMutation[] =>
  Object.values(schema.getMutationType()?.getFields() ?? {})
    .filter((field) =>
      accessRefusal(credential, { ...field, operation: OperationTypeNode.MUTATION }),
    )
    .map(({ name }) => ({ name, scope: mutationScopes[name] }));

/**
 * Refuses an operation with a field that the credential may not use, before its variables are looked at. Errors:
 * FORBIDDEN.
 */
export function checkAccess(
  credential: Credential,
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string | null,
) {
  if (credential.keyType === 'secret' && credential.scopes == null) return;
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) return;
  for (const { name } of rootFields(document, operation.selectionSet)) {
    const field = root.getFields()[name.value];
    const refusal =
      field && accessRefusal(credential, { ...field, operation: operation.operation });
    if (refusal) throw refusal;
  }
  checkTypes(credential, schema, document);
}

/** The fields of an operation itself, also those that it takes from fragments. */
export function* rootFields(
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
