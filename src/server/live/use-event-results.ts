import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  getOperationAST,
  Kind,
  visit,
} from 'graphql';
import { isAsyncIterable, mapAsyncIterator, type Plugin } from 'graphql-yoga';
import { Attached } from '#domain/kernel/reads/attached.ts';
import { credentialIdOf } from '#domain/kernel/session.ts';
import { LiveReader } from '#engines/live/live-reader.ts';
import type { Context } from '#schema/engine/builder.ts';
import { deliverDirectly } from './direct-results.ts';
import { forgetScopes } from './use-forgotten-scopes.ts';

type Result = ExecutionResult | Promise<ExecutionResult>;

/** The results for each event; they are dropped together with the event. */
const answers = new Attached<object, Map<string, ExecutionResult>>();

/**
 * Executes a subscription for each of its events, with a session of its own, since a subscription
 * outlives its identity map. Equal operations of the same key on the same event are executed once,
 * however many clients ask. This applies to fields that the graph marks as `fromEventAlone` and
 * whose resolvers did not wait.
 */
export function useEventResults(renewed: (context: Context) => Context): Plugin<Context> {
  return {
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(async (args: ExecutionArgs) => {
        const source = await createSourceEventStream(args);
        if (!isAsyncIterable(source)) return source;
        const question = questionOf(args);
        const answer = (event: object) => {
          const contextValue = renewed(args.contextValue as Context);
          const result = execute({ ...args, rootValue: event, contextValue }) as Result;
          const forget = () => forgetScopes(contextValue);
          if (result instanceof Promise) return result.finally(forget);
          forget();
          return result;
        };
        const resultOf = (event: object) =>
          question === undefined ? answer(event) : answerOnce(event, question, answer);
        if (question !== undefined && source instanceof LiveReader) {
          deliverDirectly(source, args.contextValue as object, resultOf);
        }
        return mapAsyncIterator(source as AsyncIterableIterator<object>, resultOf);
      });
    },
  };
}

function answerOnce(event: object, question: string, answer: (event: object) => Result): Result {
  const known = answers.get(event) ?? new Map<string, ExecutionResult>();
  const result = known.get(question) ?? answer(event);
  // A result that had to be awaited was read at a time that differs between clients.
  if (result instanceof Promise || result.errors) return result;
  known.set(question, result);
  answers.set(event, known);
  return result;
}

/**
 * The key and the operation on each event; undefined for operations that depend on more. The
 * arguments of the field itself choose the events, so clients that resume from different sequences
 * share results.
 */
function questionOf({
  schema,
  document,
  operationName,
  variableValues,
  contextValue,
}: ExecutionArgs) {
  const operation = getOperationAST(document, operationName);
  const [field] = operation?.selectionSet.selections ?? [];
  if (field?.kind !== Kind.FIELD) return undefined;
  const definition = schema.getSubscriptionType()?.getFields()[field.name.value];
  if (!definition?.extensions.fromEventAlone) return undefined;
  const names = new Set<string>();
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  for (const node of [{ ...field, arguments: [] }, ...fragments]) {
    visit(node, { Variable: ({ name }) => void names.add(name.value) });
  }
  const values = [...names].map((name) => [name, variableValues?.[name]]);
  const credentialId = credentialIdOf(contextValue as Context);
  return JSON.stringify([credentialId, numberOf(document), operationName, values]);
}

/** Documents with equal text are one object as long as the parser caches them. */
const numbers = new WeakMap<DocumentNode, number>();
let documents = 0;

function numberOf(document: DocumentNode): number {
  const number = numbers.get(document) ?? ++documents;
  numbers.set(document, number);
  return number;
}
