/** Is notified of a failed item of a sweep: its id, and its tenant if it has one. */
export type OnFailure = (
  error: unknown,
  item: {
    readonly id: string;
    readonly organizationId?: string;
    readonly pricingModelId?: string;
    readonly livemode?: boolean;
  },
) => void;

/** Collects failures in a sweep that fails as a whole, after the other items are done. */
export class Failures {
  readonly #reasons = new Map<string, unknown>();

  has(id: string) {
    return this.#reasons.has(id);
  }

  readonly add: OnFailure = (error, { id }) => {
    this.#reasons.set(id, error);
  };

  /** Ends a sweep. Errors: one that names the failed items, if there are any. */
  throwIfAny() {
    if (this.#reasons.size === 0) return;
    const reasons = [...this.#reasons].slice(0, 10).map(([id, error]) => `${id}: ${error}`);
    throw new AggregateError(
      this.#reasons.values(),
      `${this.#reasons.size} failed: ${reasons.join('; ')}`,
    );
  }
}
