import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { newCredential } from '#domain/platform/access/credential.ts';
import { type IssuedApiKey, issueApiKey } from '#domain/platform/access/issue-api-key.ts';
import { requireScopes } from '#domain/platform/access/require-scopes.ts';

const maximalOverlapSeconds = 7 * 86_400;

export const rotateApiKeyInput = z.object({
  id: z.string(),
  overlapSeconds: z.int().min(0).max(maximalOverlapSeconds).nullish(),
});

export type RotateApiKeyInput = z.output<typeof rotateApiKeyInput>;

/**
 * Replaces a key by a new one of the same kind; the old one stays valid for the overlap, at most 7 days. Its customer
 * tokens stay valid. Errors: NOT_FOUND; BAD_REQUEST when the key is revoked or has expired; FORBIDDEN for a key that
 * may do more than the calling one.
 */
export function rotateApiKey(
  session: Session,
  { id, overlapSeconds }: RotateApiKeyInput,
): Promise<IssuedApiKey> {
  return command(session, async (session) => {
    const { em, now, livemode } = session;
    const old = await em.findOneOrFail(ApiKey, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!old.isUsable(now))
      throw invalid('ARCHIVED', 'id', `${id} is no longer valid: create a new key`);
    const { name, type, pricingModelId, expiresAt, scopes = null, allowedOrigins = null } = old;
    if (type === 'secret') requireScopes(session, 'id', scopes);
    const issued = await issueApiKey(
      session,
      newCredential(type, livemode, session.organizationId),
      {
        name,
        type,
        scopes,
        allowedOrigins,
        pricingModelId,
        expiresAt: expiresAt ?? null,
      },
    );
    old.expire(new Date(now.getTime() + (overlapSeconds ?? 0) * 1_000));
    return issued;
  });
}
