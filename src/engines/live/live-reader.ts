/** The values that a reader waits for. */
export interface LiveSource<T> {
  /** Takes the next value; undefined where there is none yet. */
  readonly take: () => T | undefined;
  /** The values that `take` would take, in their order. */
  readonly waiting?: () => readonly T[];
  /** Removes the first of these, which a tap has delivered. */
  readonly drop?: (count: number) => void;
  /** Reads more before the reader waits; undefined where there is nothing to read. */
  readonly refill?: () => Promise<void> | undefined;
  /** After how many milliseconds to look again without being woken; undefined for never. */
  readonly lookAgain?: () => number | undefined;
  /** Frees resources, once, when the reader has ended or is left. */
  readonly onEnd?: () => void;
  /** Leaves other iterators, when the reader is left. */
  readonly onReturn?: () => Promise<unknown>;
}

/** The part of the values that a tap has delivered. */
export interface Tapped {
  /** How many, from the first one on. */
  readonly delivered: number;
  /** Whether the tap calls `wake` for the next value; the reader itself delivers it otherwise. */
  readonly isLater: boolean;
}

/** Delivers values at once, as many as it can. */
export type Tap<T> = (values: readonly T[]) => Tapped;

/** An async queue for one reader: it hands out values, waits where there are none, and ends or fails. */
export class LiveReader<T> implements AsyncIterableIterator<T> {
  readonly #source: LiveSource<T>;
  #isEnded = false;
  #isWaiting = false;
  /** Whether it waits for the tap, and reads no more meanwhile. */
  #isFull = false;
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
    if (!this.#isWaiting || this.#isFull || this.#deliver() === 'reader') this.#wakeUp();
  }

  /**
   * From now on values go to the tap first, while the reader has delivered all earlier ones. That takes no promise for
   * each value.
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
      const next = this.#deliver();
      const value = next === 'reader' ? take() : undefined;
      if (value !== undefined) return { done: false, value };
      if (this.#isEnded) return this.#last();
      const filling = next === 'tap' ? undefined : refill?.();
      this.#isFull = next === 'tap';
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

  /** Has the tap deliver the values that are there; returns who delivers the next one, if there is one. */
  #deliver(): 'tap' | 'reader' | undefined {
    const { waiting, drop } = this.#source;
    if (!this.#tap || !waiting || !drop || this.#isEnded) return 'reader';
    const values = waiting();
    if (values.length === 0) return undefined;
    const { delivered, isLater } = this.#tap(values);
    const isAll = delivered === values.length;
    if (delivered > 0) drop(delivered);
    if (isAll) return undefined;
    return isLater ? 'tap' : 'reader';
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
