import { GraphQLError } from 'graphql';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';

const refused = /^Variable "\$(\w+)" (?:got invalid value .*?(?: at "\1([^"]*)")?; )?(.*)$/s;

/**
 * The executor's error about a variable, with the code and the issue that other refusals have; undefined for any other
 * error. Its message stays as it is.
 */
export function variableError(error: GraphQLError): GraphQLError | undefined {
  const { message, nodes, path, extensions } = error;
  const [, name, place = '', problem = ''] = refused.exec(message) ?? [];
  if (name === undefined || path !== undefined || extensions.code !== undefined) return undefined;
  const code: IssueCode = /was not provided|not to be null/.test(problem) ? 'REQUIRED' : 'INVALID';
  const keys = [...place.matchAll(/\.(\w+)|\[(\d+)\]/g)].map(
    ([, key, index]) => key ?? Number(index),
  );
  const issues = [{ code, path: [name, ...keys], message: problem }];
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    extensions: { code: 'BAD_REQUEST', issues },
  });
}
