/** An answer as it goes over the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request that carries an `Idempotency-Key`; it goes with the operation's context. */
export interface Attempt {
  readonly key: string;
  /** SHA-256 of everything that decides the answer. */
  readonly fingerprint: string;
  /** Whether it is refused while the first request with its key is in progress, instead of waiting for it. */
  readonly isImpatient?: boolean;
}
