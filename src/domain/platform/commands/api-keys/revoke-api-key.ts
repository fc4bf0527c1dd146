import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { revokeTokens } from '#domain/platform/access/revoke-tokens.ts';

export const revokeApiKeyInput = z.object({ id: z.string() });

/**
 * Revokes a key immediately and permanently, with the customer tokens that it created. Revoking it again changes
 * nothing. Errors: NOT_FOUND.
 */
export function revokeApiKey(session: Session, { id }: z.output<typeof revokeApiKeyInput>) {
  return command(session, async (session) => {
    const { em } = session;
    const apiKey = await em.findOneOrFail(ApiKey, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    apiKey.revoke();
    await revokeTokens(session, { apiKeyId: id });
    return apiKey;
  });
}
