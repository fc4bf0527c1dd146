import type { IncomingMessage } from 'node:http';
import {
  type DocumentNode,
  type ExecutionArgs,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Operation } from '#domain/kernel/unit-cause.ts';
import type { Attempt } from '#rest/engine/attempt.ts';
import { formsOf, type Route } from '#rest/engine/route.ts';
import { rootFields } from '#schema/engine/access.ts';
import type { Context } from '#schema/engine/builder.ts';
import { addressOf } from '../http/addresses.ts';

const mostFields = 20;
const longestName = 100;

type Asking = Context & {
  readonly idempotencyKey?: string | undefined;
  readonly attempt?: Attempt;
  readonly req?: IncomingMessage;
};

interface Addresses {
  /** Whether causes have the addresses of clients. */
  readonly kept: boolean;
  readonly trustedProxies: number;
}

/**
 * Completes the cause of a mutation before it is executed: the request, the idempotency key, and the address of the
 * client if the operator wants it. Variables and bodies are left out, since they may have personal data.
 */
export function useCause(routes: readonly Route[], addresses: Addresses): Plugin<Asking> {
  const routeOf = new Map(routes.flatMap(formsOf).map((form) => [form.document, form] as const));
  return {
    onExecute({ args }) {
      const { cause, attempt, idempotencyKey, req } = args.contextValue;
      const operation = operationIn(args, routeOf.get(args.document));
      if (!operation) return;
      cause.operation = operation;
      cause.idempotencyKey = attempt?.key ?? idempotencyKey ?? null;
      if (addresses.kept && req) cause.address = addressOf(req, addresses.trustedProxies);
    },
  };
}

/** The operations of documents that are executed again. */
const known = new WeakMap<OperationDefinitionNode, Operation>();

function operationIn(
  { document, operationName }: Pick<ExecutionArgs, 'document' | 'operationName'>,
  route: Route | undefined,
): Operation | undefined {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== OperationTypeNode.MUTATION) return undefined;
  const found = known.get(operation) ?? describe(document, operation, route);
  known.set(operation, found);
  return found;
}

function describe(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  route: Route | undefined,
): Operation {
  const fields = [...rootFields(document, operation.selectionSet)].map(({ name }) => name.value);
  return {
    type: operation.operation,
    name: route ? null : (operation.name?.value.slice(0, longestName) ?? null),
    fields: [...new Set(fields)].slice(0, mostFields),
    method: route?.method ?? null,
    route: route ? `/api/v1${route.path}` : null,
  };
}
