import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  Kind,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';

/**
 * Ends the wait for an operation that takes too long. The database ends each statement by the same
 * limit (`statement_timeout`), so no work continues unseen for long. A field that waits for an
 * external result declares its wait (`waitsSeconds`), which extends the limit.
 */
export function useTimeLimit(seconds: number): Plugin {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const limit = seconds + waitingOf(args);
      setExecuteFn((args) => inTime(executeFn(args), limit));
    },
  };
}

function waitingOf({ schema, document, operationName }: ExecutionArgs): number {
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  const waits = operation?.selectionSet.selections.map((selection) => {
    if (selection.kind !== Kind.FIELD) return 0;
    return root?.getFields()[selection.name.value]?.extensions.waitsSeconds ?? 0;
  });
  return Math.max(0, ...(waits ?? []));
}

function inTime(result: unknown, seconds: number) {
  if (!isPromiseLike(result)) return result;
  return new Promise<ExecutionResult>((resolve, reject) => {
    const timer = setTimeout(() => resolve({ errors: [tooSlow(seconds)] }), seconds * 1_000);
    const settled = <T>(settle: (value: T) => void) => {
      return (value: T) => {
        clearTimeout(timer);
        settle(value);
      };
    };
    result.then(settled(resolve), settled(reject));
  });
}

/** Not every executor returns a `Promise` of the language itself. */
const isPromiseLike = (value: unknown): value is PromiseLike<ExecutionResult> =>
  typeof (value as PromiseLike<ExecutionResult> | undefined)?.then === 'function';

const tooSlow = (seconds: number) =>
  new GraphQLError(
    `The operation took longer than ${seconds} s and was canceled; read its effect before you try again`,
    { extensions: { code: 'SERVICE_UNAVAILABLE' } },
  );
