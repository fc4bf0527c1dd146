import { LockMode } from '@mikro-orm/core';
import { CustomerToken } from '#domain/api-keys/customer-token.ts';
import type { Session } from '#domain/kernel/session.ts';

/** Revokes the valid tokens of a customer, or those that a key created. Returns them in the order of their ids. */
export async function revokeTokens(
  { em, now }: Session,
  of: { customer: string } | { apiKeyId: string },
): Promise<CustomerToken[]> {
  const tokens = await em.find(
    CustomerToken,
    { ...of, revokedAt: null, expiresAt: { $gt: now } },
    { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  for (const token of tokens) token.revoke(now);
  return tokens;
}
