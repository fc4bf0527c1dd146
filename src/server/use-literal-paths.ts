import {
  BREAK,
  type DocumentNode,
  GraphQLError,
  isValueNode,
  Kind,
  type ValueNode,
  visit,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';

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
        if (!errors.some(refusesLiteral)) return;
        setResult(errors.map((error) => withPath(documentAST as DocumentNode, error)) as never);
      },
  };
}

const valueIn = ({ nodes }: GraphQLError): ValueNode | undefined =>
  nodes?.[0] && isValueNode(nodes[0]) ? nodes[0] : undefined;

const refusesLiteral = (error: GraphQLError) => valueIn(error) !== undefined;

function withPath(document: DocumentNode, error: GraphQLError): GraphQLError {
  const value = valueIn(error);
  const path = value && pathOf(document, value);
  if (!value || !path) return error;
  const code: IssueCode = 'INVALID';
  const place = path.join('.');
  // A scalar of the graph states what is allowed, and GraphQL itself states what it has found.
  const message = error.message.startsWith('must be') ? `${place} ${error.message}` : error.message;
  return new GraphQLError(message, {
    nodes: error.nodes ?? value,
    extensions: {
      ...error.extensions,
      issues: [{ code, path, message: error.message }],
    },
  });
}

/** The path of a value from its argument, or the variable whose default it is; undefined elsewhere. */
function pathOf(document: DocumentNode, wanted: ValueNode): Path | undefined {
  let path: Path | undefined;
  const look = (name: string, value: ValueNode | undefined) => {
    const place = value && placeIn(value, wanted);
    if (!place) return undefined;
    path = [name, ...place];
    return BREAK;
  };
  visit(document, {
    Argument: ({ name, value }) => look(name.value, value),
    VariableDefinition: ({ variable, defaultValue }) => look(variable.name.value, defaultValue),
  });
  return path;
}

function placeIn(node: ValueNode, wanted: ValueNode): Path | undefined {
  if (node === wanted) return [];
  if (node.kind !== Kind.LIST && node.kind !== Kind.OBJECT) return undefined;
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
