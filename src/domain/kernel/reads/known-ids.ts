/** The rows of a list that a client has, as far as they are remembered. */
export class KnownIds {
  readonly #ids = new Set<string>();
  readonly #most: number;
  /** Whether a row that is not remembered is certainly unknown to the client. */
  isComplete: boolean;

  constructor(most: number, isComplete: boolean) {
    this.#most = most;
    this.isComplete = isComplete;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Remembers a row; beyond the limit the oldest one is forgotten. */
  add(id: string) {
    this.#ids.delete(id);
    this.#ids.add(id);
    if (this.#ids.size <= this.#most) return;
    const [oldest = ''] = this.#ids;
    this.#ids.delete(oldest);
    this.isComplete = false;
  }

  delete(id: string) {
    this.#ids.delete(id);
  }

  /** All remembered rows, in batches. */
  *batches(size: number): Generator<readonly string[]> {
    const ids = [...this.#ids];
    for (let from = 0; from < ids.length; from += size) yield ids.slice(from, from + size);
  }
}
