/** The values that a reader waits for. */
export interface LiveSource<T> {
  /** Takes the next value; undefined where there is none yet. */
  readonly take: () => T | undefined;
  /** The value that `take` would take. */
  readonly peek?: () => T | undefined;
  /** Reads more before the reader waits; undefined where there is nothing to read. */
  readonly refill?: () => Promise<void> | undefined;
  /** After how many milliseconds to look again without being woken; undefined for never. */
  readonly lookAgain?: () => number | undefined;
  /** Frees resources, once, when the reader has ended or is left. */
  readonly onEnd?: () => void;
  /** Leaves other iterators, when the reader is left. */
  readonly onReturn?: () => Promise<unknown>;
}

/** Delivers a value at once. Returns false for a value that the reader itself must deliver. */
export type Tap<T> = (value: T) => boolean;

/** An async queue for one reader: it hands out values, waits where there are none, and ends or fails. */
export class LiveReader<T> implements AsyncIterableIterator<T> {
  readonly #source: LiveSource<T>;
  #isEnded = false;
  #isWaiting = false;
  #tap: Tap<T> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #wakeUp = () => {};

  constructor(source: LiveSource<T>) {
    this.#source = source;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Has the reader look for a value again. */
  wake() {
    if (!this.#drain()) this.#wakeUp();
  }

  /**
   * From now on new values go to the tap first, while the reader has delivered all earlier ones and waits. That takes
   * no promise for each value.
   */
  tap(tap: Tap<T>) {
    this.#tap = tap;
  }

  /** Ends after the values that are there. With a failure, that is thrown to the reader after them. */
  end(failure?: { readonly error: unknown }) {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#failure = failure;
    this.#source.onEnd?.();
    this.#wakeUp();
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    const { take, refill } = this.#source;
    for (;;) {
      const value = take();
      if (value !== undefined) return { done: false, value };
      if (this.#isEnded) return this.#last();
      const filling = refill?.();
      if (filling) await filling;
      else await this.#somethingNew();
    }
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.end();
    await this.#source.onReturn?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  #last() {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) throw failure.error;
    return { done: true, value: undefined } as const;
  }

  /** Whether the tap has delivered all values that are there. */
  #drain(): boolean {
    const { peek, take } = this.#source;
    if (!this.#tap || !peek || !this.#isWaiting || this.#isEnded) return false;
    for (let value = peek(); value !== undefined; value = peek()) {
      if (!this.#tap(value)) return false;
      take();
    }
    return true;
  }

  async #somethingNew() {
    const { promise, resolve } = Promise.withResolvers<void>();
    const milliseconds = this.#source.lookAgain?.();
    const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds);
    this.#wakeUp = resolve;
    this.#isWaiting = true;
    await promise;
    this.#isWaiting = false;
    clearTimeout(timer);
  }
}
