const keptMilliseconds = 60_000;
const most = 10_000;

interface Known<Answer> {
  readonly answer: Answer;
  readonly until: number;
}

/**
 * The latest answers of other services, for a minute. The transaction that needed one finds it when it runs again, and
 * so does the command after its preview.
 */
export class KnownAnswers<Answer> {
  readonly #known = new Map<string, Known<Answer>>();

  get(key: string): Answer | undefined {
    const found = this.#known.get(key);
    if (!found || found.until > performance.now()) return found?.answer;
    this.#known.delete(key);
    return undefined;
  }

  set(key: string, answer: Answer) {
    // The oldest are first, since each key is added anew.
    this.#known.delete(key);
    this.#known.set(key, { answer, until: performance.now() + keptMilliseconds });
    for (const [oldest, { until }] of this.#known) {
      if (this.#known.size <= most && until > performance.now()) break;
      this.#known.delete(oldest);
    }
  }
}
