const keptMilliseconds = 60_000;
/** The largest size of the answers of one organization: enough for a batch of the largest ones. */
const mostBytes = 16_000_000;

interface Known<Answer> {
  readonly answer: Answer;
  readonly bytes: number;
  readonly until: number;
}

interface Own<Answer> {
  readonly known: Map<string, Known<Answer>>;
  bytes: number;
}

/**
 * The latest answers of the services of each organization, for a minute. The transaction that needed one finds it when it
 * runs again, and so does the command after its preview. The answers of one organization displace no others.
 */
export class KnownAnswers<Answer> {
  readonly #own = new Map<string, Own<Answer>>();
  #timer: NodeJS.Timeout | undefined;

  get(organizationId: string, key: string): Answer | undefined {
    const found = this.#own.get(organizationId)?.known.get(key);
    return found && found.until > performance.now() ? found.answer : undefined;
  }

  set(organizationId: string, key: string, answer: Answer, bytes: number) {
    const own = this.#own.get(organizationId) ?? { known: new Map(), bytes: 0 };
    this.#own.set(organizationId, own);
    // The oldest are first, since each key is added anew.
    remove(own, key);
    own.known.set(key, { answer, bytes, until: performance.now() + keptMilliseconds });
    own.bytes += bytes;
    for (const [oldest] of own.known) {
      if (own.bytes <= mostBytes || own.known.size === 1) break;
      remove(own, oldest);
    }
    this.#timer ??= setTimeout(() => this.#expire(), keptMilliseconds).unref();
  }

  /** Removes the answers whose time is over, also where no further one arrives. */
  #expire() {
    this.#timer = undefined;
    const now = performance.now();
    for (const [organizationId, own] of this.#own) {
      for (const [oldest, { until }] of own.known) {
        if (until > now) break;
        remove(own, oldest);
      }
      if (own.known.size === 0) this.#own.delete(organizationId);
    }
    if (this.#own.size > 0)
      this.#timer = setTimeout(() => this.#expire(), keptMilliseconds).unref();
  }
}

function remove<Answer>(own: Own<Answer>, key: string) {
  own.bytes -= own.known.get(key)?.bytes ?? 0;
  own.known.delete(key);
}
