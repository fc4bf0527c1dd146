import { openSession, type Session } from '#domain/kernel/session.ts';

/** The same caller with an empty identity map, at an instant and a little later. */
export function at({ em, apiKeyId, ...scope }: Session, instant: Date, milliseconds = 0): Session {
  const now = new Date(instant.getTime() + milliseconds);
  return openSession(em, { ...scope, now }, apiKeyId);
}
