import type { Transport } from '../sessions/request-sessions.ts';
import { followChanges } from './operations.ts';
import type { Answer } from './visit.ts';

/** Sends a request to the service itself, with the transport of another request. */
export type FetchGraph = (init: RequestInit, transport: Transport) => Promise<Response>;

/**
 * The changes of a customer as server-sent events: a live update of the graph with the token of the session, so it has
 * the limits of one and ends with the token.
 */
export async function changesOf(
  fetchGraph: FetchGraph,
  signal: AbortSignal,
  transport: Transport,
  token: string,
): Promise<Answer> {
  const init = {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: followChanges }),
    signal,
  };
  const { status, headers, body } = await fetchGraph(init, transport);
  const type = headers.get('content-type') ?? 'text/plain';
  return { status, headers: { 'content-type': type }, body };
}
