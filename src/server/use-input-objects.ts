import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLInputType,
  getOperationAST,
  isInputObjectType,
  isListType,
  isNonNullType,
  typeFromAST,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { invalidInput } from '#domain/kernel/errors.ts';

type Path = readonly (string | number)[];

/**
 * Refuses arrays in place of input objects, which GraphQL itself takes for objects without fields. `shaped` are the
 * documents whose variables have been looked at before.
 */
export function useInputObjects(shaped: ReadonlySet<DocumentNode>): Plugin {
  const check = ({
    args,
    setResultAndStopExecution,
  }: {
    args: ExecutionArgs;
    setResultAndStopExecution(result: { errors: GraphQLError[] }): void;
  }) => {
    const path = shaped.has(args.document) ? undefined : misplacedIn(args);
    if (!path) return;
    const issues = [{ path, message: 'must be an object' }];
    const extensions = { code: 'BAD_REQUEST', issues };
    setResultAndStopExecution({ errors: [new GraphQLError(invalidInput, { extensions })] });
  };
  return { onExecute: check, onSubscribe: check };
}

/** The position of the first array that should be an object. */
function misplacedIn({ schema, document, operationName, variableValues }: ExecutionArgs) {
  const operation = getOperationAST(document, operationName);
  for (const { variable, type } of operation?.variableDefinitions ?? []) {
    const name = variable.name.value;
    const known = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
    const path = known && misplaced(variableValues?.[name], known, [name]);
    if (path) return path;
  }
  return undefined;
}

function misplaced(value: unknown, type: GraphQLInputType, path: Path): Path | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isNonNullType(type)) return misplaced(value, type.ofType, path);
  if (isListType(type)) {
    // A single value counts as a list of one.
    if (!Array.isArray(value)) return misplaced(value, type.ofType, path);
    for (const [index, item] of value.entries()) {
      const found = misplaced(item, type.ofType, [...path, index]);
      if (found) return found;
    }
    return undefined;
  }
  if (!isInputObjectType(type)) return undefined;
  if (Array.isArray(value)) return path;
  const fields = type.getFields();
  for (const [name, item] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const found = field && misplaced(item, field.type, [...path, name]);
    if (found) return found;
  }
  return undefined;
}
