import type { Session } from '../session.ts';

/** A request with an `Idempotency-Key`, as its commands see it. */
export interface Keyed {
  readonly key: string;
  /** SHA-256 of everything that makes the request. */
  readonly fingerprint: string;
  /** What the first transaction of an earlier try has committed; undefined when there was none. */
  readonly progress?: unknown;
  /** Whether the operation has one field only, so that a command may have the request's transaction to itself. */
  readonly isAlone?: boolean;
  /** Set by such a command when it has failed: all of the transaction is to be rolled back. */
  isSpoiled?: boolean;
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
