import { getOperationAST, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { rootFields } from '#schema/engine/access.ts';
import type { Context } from '#schema/engine/builder.ts';
import { createTurns } from './turns.ts';

/** Mutations with up to 1,000 records in one call, which keep the process busy. */
const bulk = new Set(['acceptUsageEvents', 'recordUsageEvents']);

const limits = { atOnce: 2, activeMilliseconds: 1_000, longestWaitMilliseconds: 500 } as const;

/**
 * Organizations that use a process at the same time take turns, so that many requests of one do not delay another: each
 * has few queries, and few calls with many usage events, in execution. Other mutations are not limited, since most of
 * their time is a wait, for the disk or for a processor.
 */
export function useTurns(): Plugin<Context> {
  const turns = createTurns({ ...limits, now: () => performance.now() });
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { document, operationName, schema, contextValue } = args;
      const { organizationId } = contextValue;
      const operation = getOperationAST(document, operationName);
      if (!organizationId || !operation) return;
      const names = rootFields(document, operation.selectionSet).map(({ name }) => name.value);
      const queries = schema.getQueryType()?.getFields();
      const isLimited =
        operation.operation === OperationTypeNode.QUERY
          ? !names.some((name) => queries?.[name]?.extensions.takesLong)
          : names.some((name) => bulk.has(name));
      if (!isLimited) return;
      setExecuteFn(async (args) => {
        const leave = await turns.enter(organizationId);
        try {
          return await executeFn(args);
        } finally {
          leave();
        }
      });
    },
  };
}
