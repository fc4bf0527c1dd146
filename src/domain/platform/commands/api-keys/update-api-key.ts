import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, nameInput } from '#domain/kernel/inputs/inputs.ts';
import { usualOriginsInput } from '#domain/kernel/inputs/origins-input.ts';
import type { Session } from '#domain/kernel/session.ts';
import { patch } from '#domain/kernel/values/patch.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';

export const updateApiKeyInput = z.object({
  id: z.string(),
  expectedVersion: expectedVersionInput,
  apiKey: z.object(changesTo({ name: nameInput, allowedOrigins: usualOriginsInput })),
});

/**
 * Changes the name of a key, and the origins of a publishable one; an empty list allows all. Scopes never change.
 * Errors: NOT_FOUND; BAD_REQUEST for origins of a secret key.
 */
export function updateApiKey(
  session: Session,
  { id, expectedVersion, apiKey: { name, allowedOrigins } }: z.output<typeof updateApiKeyInput>,
): Promise<ApiKey> {
  return command(session, async ({ em }) => {
    const apiKey = await em.findOneOrFail(ApiKey, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    expectVersion(apiKey, expectedVersion);
    if (allowedOrigins && apiKey.type !== 'publishable') {
      throw invalid('NOT_ALLOWED', 'apiKey.allowedOrigins', 'are for publishable keys');
    }
    if (allowedOrigins) apiKey.allowedOrigins = allowedOrigins.length > 0 ? allowedOrigins : null;
    return patch(apiKey, { name });
  });
}
