import { GraphQLError, getOperationAST, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { DomainError } from '#domain/kernel/errors.ts';
import { credentialIdOf } from '#domain/kernel/session.ts';
import type { Limits } from '#limits';
import { rootFields } from '#schema/engine/access.ts';
import type { Context } from '#schema/engine/builder.ts';
import { maskError } from '../errors/mask-error.ts';

/** Work of one caller that waits for its slot. */
interface Waiting {
  readonly caller: string;
  readonly begin: () => void;
}

/**
 * Limits long work to a share of the connections, so that the others remain for everything else. It is dry runs,
 * advances of test clocks, and previews of all that a customer pays. Clients take turns, however much each of them
 * sends. Errors: SERVICE_UNAVAILABLE when too many wait, or when the wait exceeds the time limit of an operation.
 */
export function useLongWork(
  { longWork, longWorkWaiting }: Pick<Limits, 'longWork' | 'longWorkWaiting'>,
  longestWaitSeconds: number,
): Plugin<Context> {
  const places = createPlaces(longWork, longWorkWaiting, longestWaitSeconds);
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { document, operationName, schema, contextValue } = args;
      const operation = getOperationAST(document, operationName);
      if (!operation || operation.operation === OperationTypeNode.SUBSCRIPTION) return;
      const fields = schema.getRootType(operation.operation)?.getFields();
      const isLong = rootFields(document, operation.selectionSet).some(
        ({ name }) => fields?.[name.value]?.extensions.takesLong,
      );
      const isDry = contextValue.dryRun && operation.operation === OperationTypeNode.MUTATION;
      if (!isLong && !isDry) return;
      setExecuteFn(async (args) => {
        const leave = await places
          .enter(credentialIdOf(contextValue), isDry ? contextValue.departure() : undefined)
          .catch(refused);
        if (leave instanceof GraphQLError) return { errors: [leave] };
        try {
          return await executeFn(args);
        } finally {
          leave();
        }
      });
    },
  };
}

function createPlaces(most: number, mostWaiting: number, longestWaitSeconds: number) {
  const running = new Map<string, number>();
  let waiting: Waiting[] = [];
  let busy = 0;

  return {
    /** Waits for a slot, until its caller goes; returns a function that frees it. */
    async enter(caller: string, departure?: AbortSignal): Promise<() => void> {
      if (busy >= most) await wait(caller, departure);
      else busy += 1;
      running.set(caller, (running.get(caller) ?? 0) + 1);
      return () => {
        const others = (running.get(caller) ?? 1) - 1;
        if (others > 0) running.set(caller, others);
        else running.delete(caller);
        hand();
      };
    },
  };

  async function wait(caller: string, departure: AbortSignal | undefined) {
    if (waiting.length >= mostWaiting) throw noPlace();
    await new Promise<void>((resolve, reject) => {
      const one: Waiting = {
        caller,
        begin() {
          clearTimeout(longest);
          departure?.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        clearTimeout(longest);
        departure?.removeEventListener('abort', leave);
        waiting = waiting.filter((other) => other !== one);
        reject(noPlace());
      };
      const longest = setTimeout(leave, longestWaitSeconds * 1_000);
      departure?.addEventListener('abort', leave);
      waiting.push(one);
    });
  }

  /** The slot goes to the caller with the fewest, and of these to the one that has waited longest. */
  function hand() {
    const has = ({ caller }: Waiting) => running.get(caller) ?? 0;
    const next = waiting.reduce<Waiting | undefined>(
      (best, one) => (best && has(best) <= has(one) ? best : one),
      undefined,
    );
    if (!next) {
      busy -= 1;
      return;
    }
    waiting = waiting.filter((other) => other !== next);
    next.begin();
  }
}

const refused = (error: unknown) => maskError(error, 'Unexpected error.', false) as GraphQLError;

const retryAfter = 5;

const noPlace = () =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    `Too much long work, such as dry runs, is in progress: try again in ${retryAfter} s`,
    { retryAfter },
  );
