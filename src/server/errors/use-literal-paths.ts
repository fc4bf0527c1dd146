import {
  type ASTNode,
  BREAK,
  type DocumentNode,
  GraphQLError,
  isValueNode,
  Kind,
  type ValueNode,
  visit,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { issueAt } from './variable-error.ts';

type Path = readonly (string | number)[];

/**
 * Gives the refusal of a literal an issue with the path of the value from its argument on, such as
 * `where.createdAt.from`. A scalar does not know this path, so it is added after the validation.
 */
export function useLiteralPaths(): Plugin {
  return {
    onValidate:
      ({ params: { documentAST } }) =>
      ({ result, setResult }) => {
        const errors = result as readonly GraphQLError[];
        if (errors.length === 0) return;
        const document = documentAST as DocumentNode;
        setResult(errors.map((error) => withPath(document, error)));
      },
  };
}

function withPath(document: DocumentNode, error: GraphQLError): GraphQLError {
  const [node] = error.nodes ?? [];
  const path = node && pathOf(document, node, error.message);
  if (!path) return error;
  const place = path.join('.');
  // A scalar of the graph states what is allowed, and GraphQL itself states what it has found.
  const message = error.message.startsWith('must be') ? `${place} ${error.message}` : error.message;
  return new GraphQLError(message, {
    nodes: error.nodes ?? null,
    extensions: {
      ...error.extensions,
      issues: [issueAt(path, error.message)],
    },
  });
}

const lackedArgument = /^Field "\w+" argument "(\w+)" of type .* is required/;

/** The path of a value, or of the object around an unknown field, from its argument or variable; undefined elsewhere. */
function pathOf(document: DocumentNode, node: ASTNode, message: string): Path | undefined {
  const [, argument] = lackedArgument.exec(message) ?? [];
  if (argument !== undefined) return [argument];
  let path: Path | undefined;
  const look = (name: string, value: ValueNode | undefined) => {
    const place = value && placeIn(value, node);
    if (!place) return undefined;
    path = [name, ...place];
    return BREAK;
  };
  if (!isValueNode(node) && node.kind !== Kind.OBJECT_FIELD) return undefined;
  visit(document, {
    Argument: ({ name, value }) => look(name.value, value),
    VariableDefinition: ({ variable, defaultValue }) => look(variable.name.value, defaultValue),
  });
  return path;
}

function placeIn(node: ValueNode, wanted: ASTNode): Path | undefined {
  if (node === wanted) return [];
  if (node.kind !== Kind.LIST && node.kind !== Kind.OBJECT) return undefined;
  if (node.kind === Kind.OBJECT && node.fields.some((field) => field === wanted)) return [];
  const parts =
    node.kind === Kind.LIST
      ? node.values.map((value, index) => ({ key: index, value }))
      : node.fields.map(({ name, value }) => ({ key: name.value, value }));
  for (const { key, value } of parts) {
    const place = placeIn(value, wanted);
    if (place) return [key, ...place];
  }
  return undefined;
}
