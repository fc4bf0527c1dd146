import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLInputType,
  getNullableType,
  getOperationAST,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  typeFromAST,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { invalidInput } from '#domain/kernel/errors.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import { mostEvents } from '#domain/recording/usage-event-input.ts';

import { deepest } from '#rest/engine/json.ts';

type Path = readonly (string | number)[];

/** The first value of a request that does not fit the type of its variable. */
interface Misfit {
  readonly code: IssueCode;
  readonly path: Path;
  readonly message: string;
}

/** The remaining budget of all variables of one request. */
interface Room {
  objects: number;
  items: number;
}

/** The usage events of the largest call; the executor copies and checks them without a pause. */
const mostObjects = mostEvents;
/** Above the largest list of any call, so that a call refuses a longer one by its own limit. */
const mostItems = 100_000;

/**
 * Refuses variables that GraphQL itself accepts: arrays in place of input objects, lists longer than any call takes,
 * and values of too many levels. The check precedes the executor's copy. `shaped` are the documents whose variables
 * REST has checked.
 */
export function useInputObjects(shaped: ReadonlySet<DocumentNode>): Plugin {
  const check = ({
    args,
    setResultAndStopExecution,
  }: {
    args: ExecutionArgs;
    setResultAndStopExecution(result: { errors: GraphQLError[] }): void;
  }) => {
    const misfit = shaped.has(args.document) ? undefined : misfitIn(args);
    if (!misfit) return;
    const extensions = { code: 'BAD_REQUEST', issues: [misfit] };
    setResultAndStopExecution({ errors: [new GraphQLError(invalidInput, { extensions })] });
  };
  return { onExecute: check, onSubscribe: check };
}

function misfitIn({
  schema,
  document,
  operationName,
  variableValues,
}: ExecutionArgs): Misfit | undefined {
  const operation = getOperationAST(document, operationName);
  const room = { objects: mostObjects, items: mostItems };
  for (const { variable, type } of operation?.variableDefinitions ?? []) {
    const name = variable.name.value;
    const known = typeFromAST(schema, type) as GraphQLInputType | undefined;
    const misfit = known && misfitOf(variableValues?.[name], known, [name], room);
    if (misfit) return misfit;
  }
  return undefined;
}

function misfitOf(
  value: unknown,
  type: GraphQLInputType,
  path: Path,
  room: Room,
): Misfit | undefined {
  if (!isComposed(value)) return undefined;
  if (isNonNullType(type)) return misfitOf(value, type.ofType, path, room);
  if (path.length > deepest) return tooDeep(path);
  if (isListType(type)) {
    // A single value is a list of one.
    return Array.isArray(value)
      ? misfitInList(value, type.ofType, path, room)
      : misfitOf(value, type.ofType, path, room);
  }
  if (!isInputObjectType(type)) return misfitInScalar(value, path);
  if (Array.isArray(value)) return { code: 'INVALID', path, message: 'must be an object' };
  if (--room.objects < 0) return tooMany(path, mostObjects, 'objects');
  const fields = type.getFields();
  for (const [name, item] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const found = field && misfitOf(item, field.type, [...path, name], room);
    if (found) return found;
  }
  return undefined;
}

function misfitInList(
  list: readonly unknown[],
  itemType: GraphQLInputType,
  path: Path,
  room: Room,
): Misfit | undefined {
  const isOfObjects = isInputObjectType(getNullableType(itemType));
  const most = isOfObjects ? mostObjects : mostItems;
  if (list.length > most) {
    return { code: 'TOO_LONG', path, message: `must have at most ${most} items` };
  }
  room.items -= list.length;
  if (room.items < 0) return tooMany(path, mostItems, 'list items');
  if (isLeafType(getNullableType(itemType)) && !list.some(isComposed)) return undefined;
  for (const [index, item] of list.entries()) {
    const found = misfitOf(item, itemType, [...path, index], room);
    if (found) return found;
  }
  return undefined;
}

const isComposed = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The value of a scalar may have any shape, within the levels. */
function misfitInScalar(value: object, path: Path): Misfit | undefined {
  if (path.length > deepest) return tooDeep(path);
  const parts = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, part] of parts) {
    const found = isComposed(part) && misfitInScalar(part, [...path, key]);
    if (found) return found;
  }
  return undefined;
}

const tooDeep = (path: Path): Misfit => ({
  code: 'TOO_LONG',
  path: path.slice(0, 1),
  message: `must be at most ${deepest} levels deep`,
});

const tooMany = (path: Path, most: number, what: string): Misfit => ({
  code: 'TOO_LONG',
  path,
  message: `the variables have more than ${most} ${what} together: send several requests`,
});
