import { createHash } from 'node:crypto';
import { invalidRequest, Refusal } from './refusal.ts';

/** An answer as it is sent. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Kept {
  readonly fingerprint: string;
  readonly at: number;
  /** Undefined while the first request is being executed. */
  answer: Answered | undefined;
}

const dayMilliseconds = 86_400_000;

/** The answers of keyed requests: they are repeated for 24 hours, also refusals of payments and errors of the server. */
export class KeptAnswers {
  readonly #kept = new Map<string, Kept>();

  /**
   * Executes a request once for its key. Refused parameters, conflicts and limits are not remembered.
   */
  async once(
    key: string,
    request: string,
    now: number,
    work: () => Promise<Answered>,
  ): Promise<Answered> {
    const fingerprint = createHash('sha256').update(request).digest('hex');
    const known = this.#kept.get(key);
    if (known && now - known.at < dayMilliseconds) {
      if (known.fingerprint !== fingerprint) {
        throw new Refusal(400, {
          type: 'idempotency_error',
          message: 'Keys can only be used with the same parameters they were first used with',
        });
      }
      if (!known.answer) {
        throw new Refusal(409, {
          ...invalidRequest('In use').body.error,
          code: 'idempotency_key_in_use',
        });
      }
      return { ...known.answer, headers: { 'idempotent-replayed': 'true' } };
    }
    const kept: Kept = { fingerprint, at: now, answer: undefined };
    this.#kept.set(key, kept);
    try {
      const answer = await work();
      const isForgotten = [400, 401, 403, 404, 409, 429].includes(answer.status);
      if (isForgotten) this.#kept.delete(key);
      else kept.answer = answer;
      return answer;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }
}
