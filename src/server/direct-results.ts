import type { ExecutionResult } from 'graphql';
import type { LiveReader } from '#domain/kernel/live-reader.ts';

/** Sends a result, given as JSON, to a client at once. Returns false where the client is behind, or gone. */
export type SendResult = (json: string) => boolean;

/** The ways to the clients of subscriptions, by the context of each. */
const ways = new WeakMap<object, SendResult>();
/** Results as JSON: those that many clients share are written once. */
const texts = new WeakMap<object, string>();

/** Lets the results of a subscription with this context go to its client without a promise for each. */
export const offerDirectWay = (context: object, send: SendResult) => void ways.set(context, send);

/**
 * Sends the results of events directly where the client has such a way. The iterator of the subscription delivers a
 * result with errors and one that has to be awaited. It also delivers all results for a client that is behind.
 */
export function deliverDirectly(
  events: LiveReader<object>,
  context: object,
  resultOf: (event: object) => ExecutionResult | Promise<ExecutionResult>,
) {
  const send = ways.get(context);
  if (!send) return;
  events.tap((event) => {
    const result = resultOf(event);
    if (result instanceof Promise || result.errors) return false;
    return send(textOf(result));
  });
}

function textOf(result: ExecutionResult): string {
  const text = texts.get(result) ?? JSON.stringify(result);
  texts.set(result, text);
  return text;
}
