import {
  type DocumentNode,
  type ExecutionResult,
  executeSync,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  parse,
  validate,
} from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';

const longestQuery = 20_000;
const introspective = new Set(['__schema', '__type', '__typename']);

/** Executes a request that needs no key; returns undefined for any other. */
export type Introspect = (params: GraphQLParams) => ExecutionResult | undefined;

/**
 * Executes pure introspection, so that GraphiQL shows the schema without a key. It is for development only; the
 * schema is in the repository anyway.
 */
export const introspect =
  (schema: GraphQLSchema): Introspect =>
  ({ query, operationName, variables }) => {
    if (!query || query.length > longestQuery || !/\b__(schema|type)\b/.test(query)) return;
    const document = parsed(query);
    // Any other document, and an invalid one, needs a key.
    if (!document || !isIntrospection(document) || validate(schema, document).length > 0) return;
    return executeSync({
      schema,
      document,
      operationName: operationName ?? null,
      variableValues: variables ?? null,
    });
  };

function parsed(query: string): DocumentNode | undefined {
  try {
    return parse(query, { noLocation: true, maxTokens: 2_000 });
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

/** Whether every operation asks for the schema only; its own fragments are on types of the schema then. */
const isIntrospection = ({ definitions }: DocumentNode) =>
  definitions.every(
    (definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ||
      (definition.kind === Kind.OPERATION_DEFINITION &&
        definition.operation === 'query' &&
        definition.selectionSet.selections.every(
          (selection) => selection.kind === Kind.FIELD && introspective.has(selection.name.value),
        )),
  );
