/**
 * Limits how many workers of a sweep one key occupies, such as a tenant whose work waits for another service. A key
 * whose work once took longer than the patience is full until the end of the sweep.
 */
export class WorkerShares {
  readonly #most: number;
  readonly #patienceMilliseconds: number;
  readonly #running = new Map<string, number>();
  readonly #slow = new Set<string>();

  constructor(most: number, patienceMilliseconds: number) {
    this.#most = most;
    this.#patienceMilliseconds = patienceMilliseconds;
  }

  /** The keys that may not begin further work. */
  full(): string[] {
    const running = [...this.#running].filter(([, count]) => count >= this.#most);
    return [...new Set([...this.#slow, ...running.map(([key]) => key)])];
  }

  /** Begins work of some keys. Returns the function that ends it. */
  begin(given: readonly string[]): () => void {
    const keys = new Set(given);
    const began = performance.now();
    for (const key of keys) this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    return () => {
      const isSlow = performance.now() - began > this.#patienceMilliseconds;
      for (const key of keys) {
        this.#running.set(key, (this.#running.get(key) ?? 1) - 1);
        if (isSlow) this.#slow.add(key);
      }
    };
  }
}
