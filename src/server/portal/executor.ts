import { createHash } from 'node:crypto';
import { type DocumentNode, GraphQLError } from 'graphql';
import type { YogaServer } from 'graphql-yoga';
import type { Attempt } from '#rest/engine/attempt.ts';
import type { Context } from '#schema/engine/builder.ts';

/** Executes an operation of the graph. Errors: its first error. */
export type Execute = <T>(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  attempt?: Attempt,
) => Promise<T>;

/** The executor of one request, in the pipeline that every operation passes. */
export function executorOf(
  yoga: YogaServer<object, object>,
  context: Context,
  checkAccess: (session: Context, document: DocumentNode) => void,
): Execute {
  const { schema, execute } = yoga.getEnveloped({});
  return async (document, variableValues, attempt) => {
    checkAccess(context, document);
    const contextValue = attempt ? { ...context, attempt } : context;
    const { data, errors } = await execute({ schema, document, variableValues, contextValue });
    const [error] = errors ?? [];
    if (error) throw error;
    return data;
  };
}

/** The attempt of a form: the same fields have the same result, and others under its name are refused. */
export function attemptOf(action: string, form: URLSearchParams): Attempt | undefined {
  const key = form.get('attempt') ?? '';
  if (!/^[\w-]{16,64}$/.test(key)) return undefined;
  const fields = [action, ...form].map(String);
  const fingerprint = createHash('sha256').update(JSON.stringify(fields)).digest('hex');
  return { key: `portal ${key}`, fingerprint };
}

/** The status and the words of a refusal; undefined for an unexpected error. */
export function refusalOf(error: unknown): { status: number; message: string } | undefined {
  if (!(error instanceof GraphQLError)) return undefined;
  const status = statuses[String(error.extensions.code)];
  return status === undefined ? undefined : { status, message: error.message };
}

const statuses: Readonly<Record<string, number>> = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  MISDIRECTED: 421,
  CONFLICT: 409,
  TOO_MANY_REQUESTS: 429,
  SERVICE_UNAVAILABLE: 503,
};
