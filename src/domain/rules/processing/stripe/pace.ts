const second = 1_000;
/** The pause of an account after Stripe has refused a request because there were too many. */
const backOffMilliseconds = 1_000;

/** The requests a second that Stripe allows with some reserve, for live keys and for test keys. */
const liveRate = 80;
const testRate = 20;

export const rateOf = (secretKey: string) => (/^.k_live_/.test(secretKey) ? liveRate : testRate);

/**
 * Spaces the requests of one account: a token bucket that a second fills. A request waits until it may leave, in the
 * order of the calls. Nothing is locked meanwhile.
 */
export class Pace {
  readonly #interval: number;
  /** The instant of the monotonic clock at which the bucket is full. */
  #fullAt = 0;

  constructor(requestsPerSecond: number) {
    this.#interval = second / requestsPerSecond;
  }

  /** Waits for the turn of a request. */
  async take(): Promise<void> {
    const now = performance.now();
    this.#fullAt = Math.max(now, this.#fullAt) + this.#interval;
    const wait = this.#fullAt - now - second;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }

  /** Lets later requests wait, since the account has had too many. */
  backOff() {
    this.#fullAt = Math.max(this.#fullAt, performance.now() + second) + backOffMilliseconds;
  }
}
