import { createHash } from 'node:crypto';
import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  Kind,
  OperationTypeNode,
  print,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Attempt } from '#rest/engine/attempt.ts';
import { refuse } from '#rest/engine/errors.ts';
import type { Context } from '#schema/engine/builder.ts';
import type { Once } from './idempotency.ts';

const longestKey = 255;

type Asking = Context & {
  /** The key of the request, from a header or from its extensions. */
  readonly idempotencyKey?: string | undefined;
  /** The same from REST, with the REST request itself. */
  readonly attempt?: Attempt;
  /** Absent over WebSocket. */
  readonly request?: Request;
};

/**
 * Runs a mutation with an `Idempotency-Key` once. Responses to repeats are marked with `idempotentReplayed` in their
 * extensions and, over HTTP, with the header `Idempotent-Replayed`. Queries and subscriptions ignore the key.
 */
export function useIdempotency(once: Once): Plugin<Asking> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { attempt, idempotencyKey } = args.contextValue;
      if (attempt === undefined && idempotencyKey === undefined) return;
      const operation = getOperationAST(args.document, args.operationName);
      if (operation?.operation !== OperationTypeNode.MUTATION) return;
      setExecuteFn(async (args) => {
        try {
          return await keyed(once, args, executeFn);
        } catch (error) {
          return { errors: [failureOf(error)] };
        }
      });
    },
  };
}

async function keyed(
  once: Once,
  args: ExecutionArgs,
  execute: (args: ExecutionArgs) => unknown,
): Promise<ExecutionResult> {
  const context = args.contextValue as Asking;
  const { key, fingerprint } = context.attempt ?? attemptOf(context.idempotencyKey ?? '', args);
  if (key.length === 0 || key.length > longestKey) {
    throw refuse('BAD_REQUEST', `Idempotency-Key must have 1 to ${longestKey} characters`);
  }
  const result = await once(context, {
    key,
    fingerprint,
    inSteps: !context.dryRun && isInSteps(args),
    isAlone: isAlone(args),
    run: async (session) => {
      const contextValue = { ...context, ...session };
      return (await execute({ ...args, contextValue })) as ExecutionResult;
    },
  });
  if (!result.extensions?.idempotentReplayed || !context.request) return result;
  const http = { headers: { 'idempotent-replayed': 'true' } };
  return { ...result, extensions: { ...result.extensions, http } };
}

/** Two operations are equal when their documents, apart from white space, and their variables are. */
function attemptOf(
  key: string,
  { document, operationName, variableValues, contextValue }: ExecutionArgs,
): Attempt {
  const { dryRun = false } = contextValue as Asking;
  const operation = [print(document), operationName ?? null, variableValues ?? {}];
  // A dry run changes nothing, so it is another request than the real one.
  const identity = ['graphql', ...operation, ...(dryRun ? ['dry-run'] : [])];
  return { key, fingerprint: createHash('sha256').update(JSON.stringify(identity)).digest('hex') };
}

/** Whether the operation has one field only, outside of any fragment. */
function isAlone({ document, operationName }: ExecutionArgs): boolean {
  const fields = getOperationAST(document, operationName)?.selectionSet.selections ?? [];
  return fields.length === 1 && fields[0]?.kind === Kind.FIELD;
}

/** Whether the mutation needs several transactions. Errors: BAD_REQUEST for one next to other fields. */
function isInSteps({ schema, document, operationName }: ExecutionArgs): boolean {
  const operation = getOperationAST(document, operationName);
  const fields = operation?.selectionSet.selections ?? [];
  const found = fields.find(
    (field) =>
      field.kind !== Kind.FIELD ||
      schema.getMutationType()?.getFields()[field.name.value]?.extensions.inSteps,
  );
  if (!found) return false;
  if (fields.length === 1 && found.kind === Kind.FIELD) return true;
  const name = found.kind === Kind.FIELD ? found.name.value : 'a fragment';
  throw refuse(
    'BAD_REQUEST',
    `With an Idempotency-Key ${name} must be the only field of its mutation: send the others under keys of their own`,
  );
}

/** A failure outside of the operation is masked like one within it. */
const failureOf = (error: unknown): GraphQLError =>
  error instanceof GraphQLError
    ? error
    : new GraphQLError((error as Error).message, { originalError: error as Error });

/** The key of a request: `idempotencyKey` in its extensions, else the header. */
export function idempotencyKeyOf(
  request: Request | undefined,
  extensions: Readonly<Record<string, unknown>> | null | undefined,
): string | undefined {
  const given = extensions?.idempotencyKey;
  if (given !== undefined && given !== null) return String(given);
  return request?.headers.get('idempotency-key') ?? undefined;
}
