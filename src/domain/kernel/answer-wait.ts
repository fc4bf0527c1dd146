import type { UnitCause } from './unit-cause.ts';

/** How long the work of one organization in a sweep has waited for answers of another service. */
export class AnswerWait {
  #milliseconds = 0;
  #open = 0;
  #since = 0;

  /** The time for which any question was open: questions that are open at the same time count once. */
  get milliseconds(): number {
    return this.#milliseconds + (this.#open > 0 ? performance.now() - this.#since : 0);
  }

  /** Counts the time of one question. */
  async during<T>(question: () => Promise<T>): Promise<T> {
    if (this.#open === 0) this.#since = performance.now();
    this.#open += 1;
    try {
      return await question();
    } finally {
      this.#open -= 1;
      if (this.#open === 0) this.#milliseconds += performance.now() - this.#since;
    }
  }
}

/** The waits of a sweep, one for each organization. */
export class AnswerWaits {
  readonly #waits = new Map<string, AnswerWait>();

  /** Has a unit of work of the sweep share the waiting time with the others of its organization. */
  share(cause: UnitCause, organizationId: string) {
    const wait = this.#waits.get(organizationId) ?? new AnswerWait();
    this.#waits.set(organizationId, wait);
    waits.set(cause, wait);
  }
}

const waits = new WeakMap<UnitCause, AnswerWait>();

/** The waiting time that a unit of work shares; undefined for a request, which waits for its own answer alone. */
export const waitOf = (cause: UnitCause): AnswerWait | undefined => waits.get(cause);
