/** The longest time for which synchronous work blocks the event loop. A request waits for several slices. */
const sliceMilliseconds = 5;

/** Divides long synchronous work into slices, so that the process serves other requests in between. */
export class Slices {
  #since = performance.now();

  /** Whether the current slice has lasted long enough; `turn` starts the next one. */
  get isOver(): boolean {
    return performance.now() - this.#since > sliceMilliseconds;
  }

  async turn(): Promise<void> {
    await new Promise(setImmediate);
    this.#since = performance.now();
  }
}
