import { GraphQLError } from 'graphql';
import type { Issue } from '#domain/kernel/errors.ts';
import { required } from '#domain/kernel/inputs/plain-words.ts';

/**
 * The executor's error about a variable, with the code and the issue that other refusals have; undefined for any other
 * error. Its message stays as it is.
 */
export function variableError(error: GraphQLError): GraphQLError | undefined {
  const { message, nodes, path, extensions, originalError } = error;
  const [start = '', name] = /^Variable "\$(\w+)" /.exec(message) ?? [];
  if (name === undefined || path !== undefined || extensions.code !== undefined) return undefined;
  const problem = originalError?.message ?? message.slice(start.length);
  // The message repeats the value of the caller, so the place is read from its end.
  const [, place = ''] = atPlace.exec(message.slice(0, -`; ${problem}`.length)) ?? [];
  const keys = [...place.matchAll(/\.(\w+)|\[(\d+)\]/g)].map(
    ([, key, index]) => key ?? Number(index),
  );
  const issues = [issueAt([name, ...keys], problem)];
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    extensions: { code: 'BAD_REQUEST', issues },
  });
}

const atPlace = / at "\w+((?:\.\w+|\[\d+\])+)"$/;
const ofField = /^Field "(?:\w+\.)?(\w+)" (of required type|is not defined)/;

/**
 * The issue of a value that GraphQL refuses. GraphQL reports a field that an input object lacks, or does not know, at that
 * object; the path of the issue leads to the field.
 */
export function issueAt(path: Issue['path'], problem: string): Issue {
  const [, field, kind] = ofField.exec(problem) ?? [];
  const at = field === undefined ? path : [...path, field];
  if (kind === 'is not defined') return { code: 'NOT_ALLOWED', path: at, message: problem };
  if (/was not provided/.test(problem)) return { code: 'REQUIRED', path: at, message: required };
  return /not to be null|must not be null|must be non-null|, found null\.$/.test(problem)
    ? { code: 'REQUIRED', path: at, message: 'must not be null' }
    : { code: 'INVALID', path: at, message: problem };
}
