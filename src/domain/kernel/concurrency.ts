/**
 * Limits the number of concurrent executions; the others wait in their order. Use it for work that locks rows: each
 * execution ends sooner when fewer run at a time.
 */
export class Concurrency {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The number of executions that wait for a slot. */
  get waiting(): number {
    return this.#waiting.length;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The slot goes to the longest waiting execution without becoming free in between.
      if (next) next();
      else this.#running -= 1;
    }
  }
}
