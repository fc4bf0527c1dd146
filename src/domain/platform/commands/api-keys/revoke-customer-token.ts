import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { CustomerToken } from '#domain/model/platform/customer-token.ts';

export const revokeCustomerTokenInput = z.object({ id: z.string() });

/**
 * Revokes a customer token immediately and permanently; revoking it again changes nothing. Its live updates end.
 * Errors: NOT_FOUND.
 */
export function revokeCustomerToken(
  session: Session,
  { id }: z.output<typeof revokeCustomerTokenInput>,
): Promise<CustomerToken> {
  return command(session, async ({ em, now }) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const token = await em.findOneOrFail(CustomerToken, id, lock);
    token.revoke(now);
    return token;
  });
}
