import { nextOf, orUntil } from './awaiting.ts';

interface Bounds {
  /** How long further values are awaited after the first one of a batch. */
  readonly pauseMilliseconds: number;
  /** The largest number of values in a batch. */
  readonly most: number;
}

/** Collects the values of an iterator into batches. It takes no value while its caller does not ask for a batch. */
export class Collector<T> {
  readonly #source: AsyncIterator<T>;
  readonly #bounds: Bounds;
  #next: Promise<IteratorResult<T>> | undefined;

  constructor(source: AsyncIterator<T>, bounds: Bounds) {
    this.#source = source;
    this.#bounds = bounds;
  }

  /**
   * The next batch; empty at an instant of the monotonic clock, if no value comes before. Undefined after the last
   * value. Errors: those of the source.
   */
  async next(due: number | null): Promise<readonly T[] | undefined> {
    const first = await this.#take(due);
    if (!first) return [];
    if (first.done) return undefined;
    const batch = [first.value];
    const end = performance.now() + this.#bounds.pauseMilliseconds;
    while (batch.length < this.#bounds.most) {
      const more = await this.#take(end);
      // The end is not taken: the next call meets it.
      if (!more || more.done) break;
      batch.push(more.value);
    }
    return batch;
  }

  async return() {
    await this.#source.return?.();
  }

  async #take(due: number | null): Promise<IteratorResult<T> | undefined> {
    this.#next ??= nextOf(this.#source);
    const result = await orUntil(this.#next, due);
    if (result && !result.done) this.#next = undefined;
    return result;
  }
}
