import { type AccessScope, scopesBeyond } from '#domain/kernel/access-scopes.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';

/**
 * Refuses a new credential that may do more than its creator. `wanted` is null for everything. Errors: FORBIDDEN,
 * naming the scopes that the creator lacks.
 */
export function requireScopes(
  { scopes }: Pick<Session, 'scopes'>,
  path: string,
  wanted: readonly AccessScope[] | null,
) {
  const beyond = scopesBeyond(scopes, wanted);
  if (beyond.length === 0) return;
  throw new DomainError(
    'FORBIDDEN',
    `A key cannot create a credential that may do more than itself; it lacks ${beyond.join(', ')}`,
    {
      issues: [
        {
          code: 'FORBIDDEN',
          path: path.split('.'),
          message: `the calling key lacks ${beyond.join(', ')}`,
        },
      ],
    },
  );
}
