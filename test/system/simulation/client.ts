import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the test is about
type Json = any;

/** A final answer: the data of the operation, or the codes of its refusal. */
export interface Final {
  readonly data: Json;
  /** The code of the first issue, or of the error. */
  readonly refusal: string | undefined;
  readonly message: string | undefined;
}

/** How long one try waits for its answer; a frozen process answers none. */
const patienceMilliseconds = 15_000;

/**
 * Sends an operation until it has a final answer, each try to another process and with the same key. An answer with
 * 500 breaks a promise, and so does a 503 that does not state when to try again.
 */
export function graphClient(address: () => string, key: string, stop: AbortSignal) {
  return async (query: string, variables: object = {}): Promise<Final> => {
    const idempotencyKey = randomUUID();
    for (;;) {
      const answer = await once(query, variables, idempotencyKey).catch(() => undefined);
      if (answer) {
        const { status, body, retryAfter } = answer;
        expect([200, 400, 503], JSON.stringify(body)).toContain(status);
        const [error] = body.errors ?? [];
        expect(error?.extensions?.code, JSON.stringify(body)).not.toBe('INTERNAL_SERVER_ERROR');
        if (error?.extensions?.code !== 'SERVICE_UNAVAILABLE') {
          const refusal = error?.extensions?.issues?.[0]?.code ?? error?.extensions?.code;
          const details = error && JSON.stringify(error.extensions?.issues ?? []);
          return { data: body.data, refusal, message: error && `${error.message} ${details}` };
        }
        // Only a repeat that needs a look at its effect first has no such header; a key makes it safe.
        if (/; try again/.test(error.message)) expect(retryAfter, JSON.stringify(body)).toBe(true);
      }
      await sleep(stop.aborted ? 200 : 50);
    }
  };

  async function once(query: string, variables: object, idempotencyKey: string) {
    const response = await fetch(`${address()}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(patienceMilliseconds),
    });
    const retryAfter = response.headers.has('retry-after');
    return { status: response.status, body: (await response.json()) as Json, retryAfter };
  }
}

export type GraphClient = ReturnType<typeof graphClient>;

/** The data of an answer that must not be a refusal. */
export function done({ data, refusal, message }: Final): Json {
  expect(refusal, message).toBeUndefined();
  return data;
}
