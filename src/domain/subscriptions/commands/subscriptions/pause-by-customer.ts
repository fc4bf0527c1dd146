import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';

/**
 * Errors: FORBIDDEN for a customer whose organization does not permit pauses, and for options other than those of a plain
 * pause. Other callers pass.
 */
export async function requirePermittedPause(
  session: Session,
  options: Readonly<Record<string, unknown>> = {},
) {
  if (session.keyType !== 'customer_token') return;
  if (!(await settingsOf(session)).customersMayPause) {
    throw new DomainError('FORBIDDEN', 'Customers may not pause: customersMayPause is false');
  }
  const chosen = Object.entries(options).find(([, value]) => value != null);
  if (!chosen) return;
  throw new DomainError('FORBIDDEN', `A customer token may not choose ${chosen[0]} of a pause`);
}
