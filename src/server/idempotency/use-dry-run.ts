import { type ExecutionResult, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { AnswerNeeded, askAll, mostAnswers } from '#domain/kernel/answer-needed.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { dryRun } from '#domain/platform/feed/dry-run.ts';
import type { Context } from '#schema/engine/builder.ts';
import { endingWith } from '../database/ending-with.ts';

/**
 * Executes mutations in a transaction that is rolled back when the caller asks for a dry run. The result is the same,
 * and its extensions list the effects. A refusal is returned as it is. It ends when its caller goes, so that its locks are
 * free for the next one.
 */
export function useDryRun(): Plugin<Context> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { document, operationName } = args;
      const operation = getOperationAST(document, operationName)?.operation;
      if (!args.contextValue.dryRun || operation !== OperationTypeNode.MUTATION) return;
      setExecuteFn(async (args) => {
        const run = () =>
          dryRun(args.contextValue, async (session) => {
            const contextValue = { ...args.contextValue, ...session };
            const result = (await executeFn({ ...args, contextValue })) as ExecutionResult;
            signal?.throwIfAborted();
            return result;
          });
        const { em, departure } = args.contextValue as Context;
        const signal = departure();
        // Within a larger transaction the operation does not end alone.
        const plan = () => (signal && !em.isInTransaction() ? endingWith(signal, run) : run());
        try {
          let { result, effects } = await plan();
          // Other services answer between the transactions.
          for (let answers = 0; ; answers++) {
            const needed = answersNeededBy(result);
            const [first] = needed;
            if (!first || args.contextValue.em.isInTransaction()) break;
            if (answers === mostAnswers) throw first.unanswered;
            for (const answer of await askAll(needed))
              if (answer.status === 'rejected') throw answer.reason;
            ({ result, effects } = await plan());
          }
          if (result.errors) return result;
          return { ...result, extensions: { ...result.extensions, effects } };
        } catch (error) {
          if (signal?.aborted) return { errors: [failureOf(left)] };
          return { errors: [failureOf(error as Error)] };
        }
      });
    },
  };
}

const answersNeededBy = ({ errors = [] }: ExecutionResult): AnswerNeeded[] =>
  errors.flatMap(({ originalError }) =>
    originalError instanceof AnswerNeeded ? originalError : [],
  );

const left = new DomainError('SERVICE_UNAVAILABLE', 'The client disconnected before the response');

/**
 * Errors outside of the operation, such as a missing connection, are masked like errors within it.
 */
const failureOf = (error: Error) => new GraphQLError(error.message, { originalError: error });

/** Whether a caller asks for a dry run: with `Prefer: dry-run`, or with `dryRun` in the request's extensions. */
export const wantsDryRun = (
  preferences: string | null | undefined,
  extensions: Readonly<Record<string, unknown>> | undefined,
): boolean =>
  extensions?.dryRun === true || /(?:^|[,;])\s*dry-run\s*(?:$|[,;])/i.test(preferences ?? '');
