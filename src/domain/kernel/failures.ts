/** Is notified of a failed item of a sweep: its id and its tenant. */
export type OnFailure = (
  error: unknown,
  item: {
    readonly id: string;
    readonly organizationId: string;
    readonly pricingModelId: string;
    readonly livemode: boolean;
  },
) => void;

/** The failures of a sweep over many records: one failed record does not stop the others. */
export class Failures {
  readonly #reasons = new Map<string, unknown>();

  has(id: string) {
    return this.#reasons.has(id);
  }

  /** Runs work on a record. Returns undefined when it fails; `tell` reports the failure at the end. */
  async attempt<T>(id: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#reasons.set(id, error);
      return undefined;
    }
  }

  /** Ends a sweep. Errors: one that names the records that have failed, if there are any. */
  tell() {
    if (this.#reasons.size === 0) return;
    const reasons = [...this.#reasons].slice(0, 10).map(([id, error]) => `${id}: ${error}`);
    throw new AggregateError(
      this.#reasons.values(),
      `${this.#reasons.size} failed: ${reasons.join('; ')}`,
    );
  }
}
