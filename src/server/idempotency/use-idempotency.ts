import { createHash } from 'node:crypto';
import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  print,
  type SelectionNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Attempt } from '#rest/engine/attempt.ts';
import { refuse } from '#rest/engine/errors.ts';
import { rootFields } from '#schema/engine/access.ts';
import { isAtomic } from '#schema/engine/atomic.ts';
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
 * Runs a mutation with an `Idempotency-Key` once, and an `@atomic` one in one transaction. Responses to repeats are marked with `idempotentReplayed` in their
 * extensions and, over HTTP, with the header `Idempotent-Replayed`. Queries and subscriptions ignore the key.
 */
export function useIdempotency(once: Once): Plugin<Asking> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { attempt, idempotencyKey } = args.contextValue;
      const hasKey = attempt !== undefined || idempotencyKey !== undefined;
      if (!hasKey && !isAtomic(args.document, args.operationName)) return;
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
  const { attempt = attemptOf(context.idempotencyKey, args) } = context;
  if (attempt && (attempt.key.length === 0 || attempt.key.length > longestKey)) {
    throw refuse('BAD_REQUEST', `Idempotency-Key must have 1 to ${longestKey} characters`);
  }
  const atomic = isAtomic(args.document, args.operationName);
  if (atomic) refuseSteps(args);
  const result = await once(context, {
    attempt,
    atomic,
    inSteps: !context.dryRun && !atomic && isInSteps(args),
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
  key: string | undefined,
  { document, operationName, variableValues, contextValue }: ExecutionArgs,
): Attempt | undefined {
  if (key === undefined) return undefined;
  const { dryRun = false } = contextValue as Asking;
  const operation = [print(document), operationName ?? null, variableValues ?? {}];
  // A dry run changes nothing, so it is another request than the real one.
  const identity = ['graphql', ...operation, ...(dryRun ? ['dry-run'] : [])];
  return { key, fingerprint: createHash('sha256').update(JSON.stringify(identity)).digest('hex') };
}

/** Refuses fields of an atomic mutation that need several transactions. Errors: BAD_REQUEST. */
function refuseSteps({ schema, document, operationName }: ExecutionArgs) {
  const operation = getOperationAST(document, operationName);
  const fields = schema.getMutationType()?.getFields() ?? {};
  for (const { name } of operation ? rootFields(document, operation.selectionSet) : []) {
    if (!fields[name.value]?.extensions.inSteps) continue;
    throw refuse(
      'BAD_REQUEST',
      `${name.value} charges or refunds between several transactions, so it cannot be part of an @atomic mutation: send it alone`,
    );
  }
}

/** Whether the operation has one field only, outside of any fragment. */
function isAlone({ document, operationName }: ExecutionArgs): boolean {
  const fields = fieldsOf(getOperationAST(document, operationName));
  return fields.length === 1 && fields[0]?.kind === Kind.FIELD;
}

/** The fields of an operation besides `__typename`, which clients with a cache add. */
const fieldsOf = (operation: OperationDefinitionNode | null | undefined): SelectionNode[] =>
  (operation?.selectionSet.selections ?? []).filter(
    (field) => field.kind !== Kind.FIELD || field.name.value !== '__typename',
  );

/** Whether the mutation needs several transactions. Errors: BAD_REQUEST for one next to other fields. */
function isInSteps({ schema, document, operationName }: ExecutionArgs): boolean {
  const operation = getOperationAST(document, operationName);
  const fields = fieldsOf(operation);
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
