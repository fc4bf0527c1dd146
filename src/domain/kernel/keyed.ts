import type { Session } from './session.ts';

/** A request with an `Idempotency-Key`, as its commands see it. */
export interface Keyed {
  readonly key: string;
  /** SHA-256 of everything that makes the request. */
  readonly fingerprint: string;
  /** What the first transaction of an earlier try has committed; undefined when there was none. */
  readonly progress?: unknown;
  /**
   * Set by a command that cannot go on within the request's transaction. That transaction is rolled back, this
   * runs in transactions of its own, and the request starts anew.
   */
  restart?: (session: Session) => Promise<void>;
}

/** Rolls a request's transaction back, to start it anew after something else. Never answered to a caller. */
export class Restart extends Error {
  override readonly name = 'Restart';
}
