/** An answer as it goes over the wire, so that it can be kept and given again. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One try of a request that carries an `Idempotency-Key`. */
export interface Attempt {
  readonly key: string;
  /** SHA-256 of everything that decides the answer. */
  readonly fingerprint: string;
}

/** Answers repeats of a request with its first answer. `Session` is the operation's context. */
export type Once<Session> = (
  session: Session,
  attempt: Attempt,
  run: (session: Session) => Promise<Answer>,
) => Promise<Answer>;
