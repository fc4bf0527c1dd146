import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { databaseFailure } from '#domain/kernel/database-failure.ts';
import { PrimaryNeeded } from '#domain/kernel/primary-needed.ts';
import { openSession } from '#domain/kernel/session.ts';
import type { Context } from '#schema/engine/builder.ts';
import type { Logger } from '../observability/logger.ts';
import { placeStated, positionHeader, textOfPlace } from './position.ts';
import type { Replica } from './replica.ts';
import type { Replicas } from './replicas.ts';
import { createServedByReplicas } from './served-by-replicas.ts';

type Asking = Context & {
  /** The `Tollgate-Position` of the request. */
  readonly position?: string | undefined;
};
type Execute = (args: ExecutionArgs) => unknown;

/**
 * Answers queries of lists, statistics and history by a replica, and all others by the primary. Answers to these
 * queries and to mutations have a `Tollgate-Position`: a request with it sees nothing older. A read that fails at a
 * replica, or that needs something written first, is repeated at the primary. Errors: BAD_REQUEST for a position that no answer has had.
 */
export function useReplicas(
  replicas: Replicas | undefined,
  schema: GraphQLSchema,
  logger: Logger,
): Plugin<Asking> {
  if (!replicas) return {};
  const known = replicas;
  const isServed = createServedByReplicas(schema);
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { document, operationName } = args;
      const operation = getOperationAST(document, operationName)?.operation;
      if (operation === OperationTypeNode.MUTATION) {
        setExecuteFn((args) => atPrimary(args, executeFn));
      } else if (isServed(document, operationName)) {
        setExecuteFn((args) => read(args, executeFn));
      }
    },
  };

  /** The result of the primary. Its position is left out where the primary is gone. */
  async function atPrimary(args: ExecutionArgs, executeFn: Execute): Promise<ExecutionResult> {
    const result = (await executeFn(args)) as ExecutionResult;
    const { pricingModelId } = args.contextValue as Asking;
    // The change is made; a read after it without a position goes to the primary.
    const position = await known.afterWrite(pricingModelId).catch(() => undefined);
    return stating(result, position);
  }

  async function read(args: ExecutionArgs, executeFn: Execute): Promise<ExecutionResult> {
    const { pricingModelId, position } = args.contextValue as Asking;
    try {
      const replica = await known.choose(pricingModelId, placeStated(position));
      const result = replica && (await readAt(replica, args, executeFn));
      return result ?? (await atPrimary(args, executeFn));
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error] };
      throw error;
    }
  }

  /** The result of a replica; undefined where the replica has failed. */
  async function readAt(
    replica: Replica,
    args: ExecutionArgs,
    executeFn: Execute,
  ): Promise<ExecutionResult | undefined> {
    const { apiKeyId, cause, ...context } = args.contextValue as Asking;
    const place = replica.replayed;
    const session = openSession(replica.orm.em, context, apiKeyId, cause);
    const contextValue = { ...context, ...session };
    const result = (await executeFn({ ...args, contextValue })) as ExecutionResult;
    if (result.errors?.some(({ originalError }) => originalError instanceof PrimaryNeeded)) {
      return undefined;
    }
    const reason = (result.errors ?? []).map((error) => databaseFailure(error)).find(Boolean);
    if (reason === undefined)
      return stating(result, place === undefined ? undefined : textOfPlace(place));
    replica.suspect();
    logger.warn({ reason, replica: replica.name }, 'A read has failed at a replica');
    return undefined;
  }
}

/** A result with its position: in the extensions and, over HTTP, in a header. */
function stating(result: ExecutionResult, position: string | undefined): ExecutionResult {
  if (!position) return result;
  const { http } = (result.extensions ?? {}) as { http?: { headers?: object } };
  const headers = { ...http?.headers, [positionHeader]: position };
  return { ...result, extensions: { ...result.extensions, position, http: { ...http, headers } } };
}
