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

import { type Issue, invalidInput } from '#domain/kernel/errors.ts';
import { deepest } from '#rest/engine/json.ts';
import { mostItems } from '#rest/engine/reader.ts';

type Path = readonly (string | number)[];

/** Why a request is refused: in its message, and at the place of the value. */
interface Refusal {
  readonly message: string;
  readonly issue: Issue;
}

/**
 * Refuses variables that GraphQL itself would take: arrays in place of input objects, which it reads as objects without
 * fields, and lists and levels beyond those of a REST body, before a single item is read. `shaped` are the documents
 * whose variables have been checked before.
 */
export function useInputObjects(shaped: ReadonlySet<DocumentNode>): Plugin {
  const check = ({
    args,
    setResultAndStopExecution,
  }: {
    args: ExecutionArgs;
    setResultAndStopExecution(result: { errors: GraphQLError[] }): void;
  }) => {
    const refusal = shaped.has(args.document) ? undefined : refusalOf(args);
    if (!refusal) return;
    const extensions = { code: 'BAD_REQUEST', issues: [refusal.issue] };
    setResultAndStopExecution({ errors: [new GraphQLError(refusal.message, { extensions })] });
  };
  return { onExecute: check, onSubscribe: check };
}

function refusalOf({ schema, document, operationName, variableValues }: ExecutionArgs) {
  const operation = getOperationAST(document, operationName);
  for (const { variable, type } of operation?.variableDefinitions ?? []) {
    const name = variable.name.value;
    const known = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
    const refusal = known && misfit(variableValues?.[name], known, [name]);
    if (refusal) return refusal;
  }
  return undefined;
}

/** The first part of a value that does not fit. */
function misfit(value: unknown, type: GraphQLInputType, path: Path): Refusal | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isNonNullType(type)) return misfit(value, type.ofType, path);
  if (path.length > deepest) return tooDeep(path);
  if (isListType(type)) {
    // A single value stands for a list of one.
    if (!Array.isArray(value)) return misfit(value, type.ofType, path);
    if (value.length > mostItems) return tooLong(path, value.length);
    return firstMisfit(value.entries(), path, () => type.ofType);
  }
  // The value of a scalar may have any shape.
  if (!isInputObjectType(type)) {
    const parts = Array.isArray(value) ? value.entries() : Object.entries(value);
    return firstMisfit<string | number>(parts, path, () => type);
  }
  if (Array.isArray(value)) {
    return { message: invalidInput, issue: { path, message: 'must be an object' } };
  }
  const fields = type.getFields();
  return firstMisfit(Object.entries(value), path, (key) =>
    Object.hasOwn(fields, key) ? fields[key]?.type : undefined,
  );
}

function firstMisfit<Key extends string | number>(
  parts: Iterable<[Key, unknown]>,
  path: Path,
  typeOf: (key: Key) => GraphQLInputType | undefined,
): Refusal | undefined {
  for (const [key, part] of parts) {
    if (typeof part !== 'object' || part === null) continue;
    const type = typeOf(key);
    const refusal = type && misfit(part, type, [...path, key]);
    if (refusal) return refusal;
  }
  return undefined;
}

const tooLong = (path: Path, items: number): Refusal => ({
  message: `The variable $${path[0]} has a list of ${items} items, and a list may have at most ${mostItems}`,
  issue: { path, message: `Too big: expected array to have <=${mostItems} items` },
});

const tooDeep = (path: Path): Refusal => ({
  message: `The variable $${path[0]} is more than ${deepest} levels deep`,
  issue: { path: path.slice(0, 1), message: `must be at most ${deepest} levels deep` },
});
