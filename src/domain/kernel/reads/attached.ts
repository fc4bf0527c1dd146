/**
 * Values that belong to other objects, such as the reads of a session, and end with them.
 *
 * A `WeakMap` keeps garbage here. V8 takes each of its values for reachable until it collects the old generation. A value
 * that refers to its own key survives with all that the key refers to, such as the whole request.
 */
export class Attached<Owner extends object, Value> {
  readonly #key = Symbol('attached');

  get(owner: Owner): Value | undefined {
    return (owner as Record<symbol, Value | undefined>)[this.#key];
  }

  /** The value is not copied with its owner. */
  set(owner: Owner, value: Value) {
    Object.defineProperty(owner, this.#key, { value, writable: true, configurable: true });
  }
}
