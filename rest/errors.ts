import {
  coerceInputValue,
  GraphQLError,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isNonNullType,
} from 'graphql';
import type { Answer } from './once.ts';

/** The status of each kind of refusal (specification, Errors). A conflict is a 400: clients retry 409. */
const statuses = {
  BAD_REQUEST: 400,
  CONFLICT: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof statuses;

export const errorCodes: readonly (ErrorCode & string)[] = Object.keys(statuses) as ErrorCode[];
export const statusOf = (code: ErrorCode) => statuses[code];

export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A failure in the documented body: exactly code, message and issues. */
export function errorAnswer(
  code: ErrorCode,
  message: string,
  issues: readonly { readonly message: string }[] = [],
): Answer {
  const documented = code === 'CONFLICT' ? 'BAD_REQUEST' : code;
  const body = { code: documented, message, issues };
  return { status: statuses[code], headers: {}, body: JSON.stringify(body) };
}

/**
 * What the caller is told of a failed operation. `names` says under which name the caller sent each
 * argument, so that an issue's path reads as in the request.
 */
export function refusal(
  { extensions, message }: GraphQLError,
  names: Readonly<Record<string, string>> = {},
): Answer {
  const {
    code,
    issues = [],
    retryAfterSeconds,
  } = extensions as { code?: string; issues?: readonly Issue[]; retryAfterSeconds?: number };
  if (!code || !(code in statuses) || code === 'INTERNAL_SERVER_ERROR') {
    return errorAnswer('INTERNAL_SERVER_ERROR', 'Internal server error');
  }
  const answer = errorAnswer(
    code as ErrorCode,
    message,
    issues.map((issue) => ({ message: sentence(issue, names) })),
  );
  if (retryAfterSeconds === undefined) return answer;
  return { ...answer, headers: { 'retry-after': String(retryAfterSeconds) } };
}

function sentence(
  { path: [head, ...rest], message }: Issue,
  names: Readonly<Record<string, string>>,
) {
  const first = head === undefined ? [] : [Object.hasOwn(names, head) ? names[head] : head];
  const path = [...first, ...rest].filter((key) => key !== 'input').join('.');
  return path ? `${path}: ${message}` : message;
}

interface Variable {
  readonly name: string;
  readonly type: GraphQLInputType;
}

/** One issue for each value that does not fit its type; empty when all of them do. */
export function misfits(
  variables: readonly Variable[],
  values: Readonly<Record<string, unknown>>,
): Issue[] {
  return variables.flatMap(({ name, type }) => {
    const issues: Issue[] = [];
    if (values[name] === undefined) {
      if (isNonNullType(type)) issues.push({ path: [name], message: 'is required' });
      return issues;
    }
    coerceInputValue(values[name], type, (path, _value, error) => {
      issues.push(issueOf([name, ...path], error, type));
    });
    return issues;
  });
}

const missing = /^Field "(\w+)" of required type/;
const builtIn = /^(Int|Boolean) cannot represent/;
const builtInRules = { Int: 'must be a whole number', Boolean: 'must be true or false' } as const;
const unknownValue = /^Value "(.*)" does not exist in "(\w+)" enum/;

function issueOf(
  path: (string | number)[],
  { message }: GraphQLError,
  type: GraphQLInputType,
): Issue {
  const [, field] = missing.exec(message) ?? [];
  if (field) return { path: [...path, field], message: 'is required' };
  const [, scalar] = builtIn.exec(message) ?? [];
  if (scalar) return { path, message: builtInRules[scalar as keyof typeof builtInRules] };
  const allowed = unknownValue.test(message) && valuesAt(type, path.slice(1));
  if (allowed) return { path, message: `must be one of ${allowed.join(', ')}` };
  return {
    path,
    message: message
      .replace(/^Expected type "\w+" to be an object\.$/, 'must be an object')
      .replace(/^Expected type "\w+"\. /, ''),
  };
}

function valuesAt(
  type: GraphQLInputType,
  path: readonly (string | number)[],
): string[] | undefined {
  const named = getNamedType(type);
  const [key, ...rest] = path;
  if (key === undefined)
    return isEnumType(named) ? named.getValues().map(({ name }) => name) : undefined;
  if (typeof key === 'number') return valuesAt(type, rest);
  const field = 'getFields' in named ? named.getFields()[key] : undefined;
  return field && valuesAt(field.type, rest);
}

/** A refusal by this layer itself, in the shape that the graph's own ones have. */
export const refuse = (code: ErrorCode, message: string, issues: readonly Issue[] = []) =>
  new GraphQLError(message, { extensions: { code, issues } });
