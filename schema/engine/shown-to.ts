import { type CallerScope, hasScope } from '#domain/kernel/access-scopes.ts';
import type { Session } from '#domain/kernel/session.ts';

/**
 * The address of a page on which its reader acts for a customer; null for a caller without the scope for that. Without
 * it, a key that only reads could pay or add a payment method.
 */
export const shownTo = (
  { scopes }: Pick<Session, 'scopes'>,
  scope: CallerScope,
  address: string | null | undefined,
): string | null => (hasScope(scopes, scope) ? (address ?? null) : null);
