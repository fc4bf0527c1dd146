import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ApiKey } from './api-key.ts';

export const revokeApiKeyInput = z.object({ id: z.string() });

/** Revokes a key immediately and permanently; revoking it again changes nothing. Errors: NOT_FOUND. */
export function revokeApiKey(session: Session, { id }: z.output<typeof revokeApiKeyInput>) {
  return command(session, async ({ em }) => {
    const apiKey = await em.findOneOrFail(ApiKey, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    apiKey.revoke();
    return apiKey;
  });
}
