import { isReplayed } from '#domain/money/processing/port/processor-errors.ts';
import { asked } from './failures.ts';

/** How many keys one request may use: the next one follows an error that Stripe repeats under the last one. */
const mostKeys = 5;

interface Keyed {
  readonly idempotencyKey: string;
}

/**
 * Sends a request under its key, so that Stripe executes it once however often it is sent. After an error, `after` reads
 * the object that the request has made; `undefined` means that it has made none. Stripe repeats an error of its own
 * under a key for a day. Its request has ended, so another key makes no second object. Errors: those of the request and
 * of `after`.
 */
export async function keyed<Result>(
  key: string,
  send: (options: Keyed) => Promise<Result>,
  after: (error: unknown) => Promise<Result | undefined> = async () => undefined,
): Promise<Result> {
  for (let number = 1; ; number++) {
    try {
      return await asked(send({ idempotencyKey: number === 1 ? key : `${key}:${number}` }));
    } catch (error) {
      const found = await after(error);
      if (found !== undefined) return found;
      if (!isReplayed(error) || number === mostKeys) throw error;
    }
  }
}
