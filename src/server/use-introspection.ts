import { type DocumentNode, executeSync, type GraphQLSchema, Kind, parse, validate } from 'graphql';
import type { Plugin } from 'graphql-yoga';

const longestQuery = 20_000;
const introspective = new Set(['__schema', '__type', '__typename']);

/**
 * Answers pure introspection without a key, so that GraphiQL shows the schema when it is first opened. It is for
 * development only; the schema is in the repository anyway.
 */
export function useIntrospection(schema: GraphQLSchema): Plugin {
  return {
    onParams({ params: { query, operationName, variables }, setResult }) {
      if (!query || query.length > longestQuery || !/\b__(schema|type)\b/.test(query)) return;
      const document = parsed(query);
      // Anything else, and what is wrong with a document, is for the pipeline to answer.
      if (!document || !isIntrospection(document) || validate(schema, document).length > 0) return;
      setResult(
        executeSync({
          schema,
          document,
          operationName: operationName ?? null,
          variableValues: variables ?? null,
        }),
      );
    },
  };
}

function parsed(query: string): DocumentNode | undefined {
  try {
    return parse(query, { noLocation: true, maxTokens: 2_000 });
  } catch {
    return undefined;
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
