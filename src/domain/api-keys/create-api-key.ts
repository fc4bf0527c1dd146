import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { instantInput, nameInput } from '#domain/kernel/inputs.ts';
import { apiKeyTypes, type Session } from '#domain/kernel/session.ts';
import { PricingModel } from '#domain/pricing-models/pricing-model.ts';
import { newCredential } from '#domain/rules/access/credential.ts';
import { type IssuedApiKey, issueApiKey } from '#domain/rules/access/issue-api-key.ts';

export const createApiKeyInput = z.object({
  apiKey: z.object({
    name: nameInput,
    type: z.enum(apiKeyTypes).nullish(),
    pricingModelId: z.string().nullish(),
    expiresAt: instantInput.nullish(),
  }),
});

export type CreateApiKeyInput = z.output<typeof createApiKeyInput>;

/**
 * Issues a key of the caller's organization and mode, for the caller's pricing model or another one.
 * Errors: BAD_REQUEST for an unknown pricing model or an expiry in the past.
 */
export function createApiKey(
  session: Session,
  { apiKey }: CreateApiKeyInput,
): Promise<IssuedApiKey> {
  return command(session, async (session) => {
    const { type, name, expiresAt, pricingModelId = null } = apiKey;
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
    const credential = newCredential(type ?? 'secret', session.livemode);
    return issueApiKey(session, credential, {
      name,
      type: type ?? 'secret',
      pricingModelId: pricingModelId ?? session.pricingModelId,
      expiresAt: expiresAt ?? null,
    });
  });
}
