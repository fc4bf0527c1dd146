/**
 * Lets at most so many pieces of work run at a time, in the order in which they came. For work that holds
 * locks: what has begun gets to its end sooner when not everything begins at once.
 */
export class Concurrency {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place goes to whoever has waited longest, without getting free in between.
      if (next) next();
      else this.#running -= 1;
    }
  }
}
