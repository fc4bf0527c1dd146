const second = 1_000;
/** The pause of an account after Stripe has refused a request because there were too many. */
const backOffMilliseconds = 1_000;

/** The requests a second that Stripe allows with some reserve, for live keys and for test keys. */
const liveRate = 80;
const testRate = 20;

export const rateOf = (secretKey: string) => (/^.k_live_/.test(secretKey) ? liveRate : testRate);

/** How much time a bucket saves up: with a fifth of a second, no second has 100 requests of a live key. */
const burstMilliseconds = 200;

/**
 * Spaces the requests of one account: a token bucket that is filled all the time. A request waits until it may leave, in
 * the order of the calls. Requests that are late, since the process was busy, leave as slowly as others. Nothing is
 * locked meanwhile.
 */
export class Pace {
  readonly #interval: number;
  readonly #waiting: (() => void)[] = [];
  /** The instant of the monotonic clock from which the bucket has a token. */
  #nextAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(requestsPerSecond: number) {
    this.#interval = second / requestsPerSecond;
  }

  /** Waits for the turn of a request. */
  async take(): Promise<void> {
    if (this.#waiting.length === 0 && this.#leave()) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  /** Lets later requests wait, since the account has had too many. */
  backOff() {
    this.#nextAt = Math.max(this.#nextAt, performance.now() + backOffMilliseconds);
  }

  #leave(): boolean {
    const now = performance.now();
    if (this.#nextAt > now) return false;
    const earliest = now - Math.max(0, burstMilliseconds - this.#interval);
    this.#nextAt = Math.max(this.#nextAt, earliest) + this.#interval;
    return true;
  }

  #schedule() {
    const wait = Math.max(1, Math.ceil(this.#nextAt - performance.now()));
    this.#timer ??= setTimeout(() => this.#release(), wait);
  }

  #release() {
    this.#timer = undefined;
    while (this.#waiting.length > 0 && this.#leave()) this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#schedule();
  }
}
