/** Random choices that are the same in each demo. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number from 0 to below 1, by the generator mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Whether something of a probability happens. */
  is(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number within limits, both inclusive. */
  from(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** One of some values. Errors: for an empty list. */
  of<T>(values: readonly T[]): T {
    const value = values[this.from(0, values.length - 1)];
    if (value === undefined) throw new Error('There is nothing to choose from');
    return value;
  }

  /** One of some values by their shares, which sum to 1. Errors: for an empty list. */
  weighted<T>(values: readonly (readonly [value: T, share: number])[]): T {
    let at = this.next();
    for (const [value, share] of values) {
      at -= share;
      if (at < 0) return value;
    }
    return this.of(values)[0];
  }
}
