import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the test is about
type Json = any;

export interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly replayed: boolean;
  /** Whether the answer states when to try again. */
  readonly retryAfter: boolean;
}

/** Calls one of several processes, as a load balancer would; `address` chooses again for each try. */
export interface Caller {
  /** One try. Absent without an answer; 503 is an answer. Fails the test for a 500. */
  once(method: string, path: string, body?: unknown, key?: string): Promise<Answer | undefined>;
  /** Tries until there is a final answer, always with the same `Idempotency-Key` if there is one. */
  final(method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
}

/** How long one try waits for its answer; a frozen process answers no request. */
const patienceMilliseconds = 15_000;

export function callerOf(address: () => string, secretKey: string, stop: AbortSignal): Caller {
  async function once(method: string, path: string, body?: unknown, key?: string) {
    try {
      const response = await fetch(`${address()}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${secretKey}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(key && { 'idempotency-key': key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(patienceMilliseconds),
      });
      const replayed = response.headers.get('idempotent-replayed') === 'true';
      const retryAfter = response.headers.has('retry-after');
      return { status: response.status, body: await response.json(), replayed, retryAfter };
    } catch {
      // A killed or frozen process gives no answer: the caller does not know whether it was done.
      return undefined;
    }
  }

  return {
    async once(method, path, body, key) {
      const answer = await once(method, path, body, key);
      if (answer) {
        expect([200, 400, 404, 421, 503], `${method} ${path}: ${JSON.stringify(answer)}`).toContain(
          answer.status,
        );
        // Only a repeat that needs a look at its effect first has no such header.
        const isRepeatable = answer.status === 503 && /; try again/.test(answer.body.message);
        if (isRepeatable) expect(answer.retryAfter, JSON.stringify(answer.body)).toBe(true);
      }
      return answer;
    },
    async final(method, path, body, key) {
      for (;;) {
        const answer = await this.once(method, path, body, key);
        if (answer && answer.status !== 503) return answer;
        // After the end of the faults a final answer has to come soon; the test's own limit sees to it.
        await sleep(stop.aborted ? 200 : 50);
      }
    },
  };
}

/** An `Idempotency-Key` that no other request has. */
export const aKey = () => randomUUID();
