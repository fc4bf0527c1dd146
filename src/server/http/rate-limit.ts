import type { Rate } from '#limits';

const mostCallers = 100_000;

/** The tokens of a caller: at most `most`, which `seconds` bring back. */
interface RateState {
  readonly most: number;
  readonly seconds: number;
  readonly remaining: number;
  readonly fullInSeconds: number;
}

/**
 * A token bucket for each caller, as one number: the time when the caller's bucket would be full again (the generic
 * cell rate algorithm).
 */
export class RateLimit {
  readonly #pause: number;
  readonly #tolerance: number;
  readonly #fullAt = new Map<string, number>();

  constructor({ perSecond, burst }: Rate) {
    this.#pause = perSecond > 0 ? 1_000 / perSecond : 0;
    this.#tolerance = this.#pause * Math.max(burst, 1);
  }

  /** Takes one token. Returns 0, or without a token the whole seconds until there is one again. */
  take(caller: string, now = performance.now()): number {
    if (this.#pause === 0) return 0;
    const wait = this.wait(caller, now);
    if (wait > 0) return wait;
    if (this.#fullAt.size >= mostCallers) this.#forget(now);
    this.#fullAt.set(caller, Math.max(this.#fullAt.get(caller) ?? 0, now) + this.#pause);
    return 0;
  }

  /** Restores a token that was taken for a request which needs none after all. */
  restore(caller: string) {
    const fullAt = this.#fullAt.get(caller);
    if (fullAt !== undefined) this.#fullAt.set(caller, fullAt - this.#pause);
  }

  /** How many tokens a caller has, and the seconds until it has all; undefined without a limit. */
  state(caller: string, now = performance.now()): RateState | undefined {
    if (this.#pause === 0) return undefined;
    const missing = Math.max(0, (this.#fullAt.get(caller) ?? 0) - now);
    const most = Math.floor(this.#tolerance / this.#pause);
    const remaining = Math.floor((this.#tolerance - missing) / this.#pause + 1e-6);
    return {
      most,
      seconds: Math.ceil(this.#tolerance / 1_000),
      remaining: Math.min(most, Math.max(0, remaining)),
      fullInSeconds: Math.ceil(missing / 1_000),
    };
  }

  /** The same as `take`, without taking one. */
  wait(caller: string, now = performance.now()): number {
    const fullAt = Math.max(this.#fullAt.get(caller) ?? 0, now) + this.#pause;
    const early = fullAt - now - this.#tolerance;
    return early > 1e-6 ? Math.max(1, Math.ceil(early / 1_000)) : 0;
  }

  /** Drops buckets that are full again; when too many others remain, all callers start again. */
  #forget(now: number) {
    for (const [caller, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(caller);
    if (this.#fullAt.size >= mostCallers) this.#fullAt.clear();
  }
}
