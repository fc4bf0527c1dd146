import { z } from 'zod';
import { type AccessScope, accessScopes } from '#domain/kernel/access-scopes.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { instantInput, nameInput } from '#domain/kernel/inputs/inputs.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import { originsInput } from '#domain/kernel/inputs/origins-input.ts';
import { type ApiKeyType, apiKeyTypes, type Session } from '#domain/kernel/session.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { newCredential } from '#domain/platform/access/credential.ts';
import { type IssuedApiKey, issueApiKey } from '#domain/platform/access/issue-api-key.ts';
import { requireScopes } from '#domain/platform/access/require-scopes.ts';

export const createApiKeyInput = z.object({
  apiKey: z.object({
    name: nameInput,
    type: z.enum(apiKeyTypes).nullish(),
    pricingModelId: z.string().nullish(),
    expiresAt: instantInput.nullish(),
    scopes: listInput(z.enum(accessScopes), accessScopes.length).nullish(),
    allowedOrigins: originsInput.nullish(),
  }),
});

export type CreateApiKeyInput = z.output<typeof createApiKeyInput>;

/**
 * Issues a key of the caller's organization and mode, for the caller's pricing model or another one.
 * A key without scopes of its own gets those of the calling key. Errors: BAD_REQUEST for an unknown pricing model or
 * an expiry in the past; FORBIDDEN for a scope that the calling key lacks.
 */
export function createApiKey(
  session: Session,
  { apiKey }: CreateApiKeyInput,
): Promise<IssuedApiKey> {
  return command(session, async (session) => {
    const { name, expiresAt, pricingModelId = null } = apiKey;
    const type = apiKey.type ?? 'secret';
    if (expiresAt && expiresAt <= session.now) {
      throw invalid('OUT_OF_RANGE', 'apiKey.expiresAt', 'must be in the future');
    }
    if (pricingModelId && !(await session.em.findOne(PricingModel, pricingModelId))) {
      throw invalid(
        'NOT_FOUND',
        'apiKey.pricingModelId',
        `Unknown pricing model ${pricingModelId}`,
      );
    }
    const { scopes, allowedOrigins } = restrictionsOf(session, type, apiKey);
    return issueApiKey(session, newCredential(type, session.livemode, session.organizationId), {
      name,
      type,
      scopes,
      allowedOrigins,
      pricingModelId: pricingModelId ?? session.pricingModelId,
      expiresAt: expiresAt ?? null,
    });
  });
}

/** The scopes of a secret key and the origins of a publishable one. */
function restrictionsOf(
  session: Session,
  type: ApiKeyType,
  { scopes, allowedOrigins = null, pricingModelId }: CreateApiKeyInput['apiKey'],
) {
  if (type === 'publishable') {
    if (scopes)
      throw invalid('NOT_ALLOWED', 'apiKey.scopes', 'are for secret keys: leave them out');
    return { scopes: null, allowedOrigins };
  }
  if (allowedOrigins)
    throw invalid('NOT_ALLOWED', 'apiKey.allowedOrigins', 'are for publishable keys');
  const wanted = scopes ? withRead(scopes) : ownScopes(session);
  requireScopes(session, 'apiKey.scopes', wanted);
  if (session.scopes && pricingModelId && pricingModelId !== session.pricingModelId) {
    throw invalid(
      'MISMATCH',
      'apiKey.pricingModelId',
      'must be that of the calling key, which has scopes',
    );
  }
  return { scopes: wanted, allowedOrigins: null };
}

/** The scopes of the caller that a key may have; null for all. */
const ownScopes = ({ scopes }: Session) =>
  scopes ? accessScopes.filter((scope) => scopes.includes(scope)) : null;

/** Every key reads, and the list has no repetition. */
const withRead = (scopes: readonly AccessScope[]) =>
  accessScopes.filter((scope) => scope === 'read' || scopes.includes(scope));
