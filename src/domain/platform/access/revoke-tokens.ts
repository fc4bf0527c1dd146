import { LockMode } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { CustomerToken } from '#domain/model/platform/customer-token.ts';

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
