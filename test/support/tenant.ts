import type { EntityManager } from '@mikro-orm/postgresql';
import { type ApiKeyType, openSession, type Session } from '#domain/kernel/session.ts';
import { createApiKey } from '#domain/platform/commands/api-keys/create-api-key.ts';
import { foundOrganization } from '#domain/platform/commands/organizations/found-organization.ts';

/** A new organization, with a session that sees it and a secret key. */
export interface Tenant {
  readonly session: Session;
  readonly key: string;
}

/** A new organization with its default pricing model, free product and secret test key. */
export async function aTenant(em: EntityManager, currency = 'USD'): Promise<Tenant> {
  const now = new Date();
  const { apiKey, token } = await foundOrganization(em.fork(), { name: 'Test', now, currency });
  const { organizationId, livemode, pricingModelId, type: keyType, id } = apiKey;
  const scope = { organizationId, livemode, pricingModelId, keyType, now };
  return { session: openSession(em, scope, id), key: token };
}

/** A key of the session's tenant. */
export async function aKey(session: Session, type: ApiKeyType): Promise<string> {
  const { em, ...scope } = session;
  const input = { apiKey: { name: 'Another', type } };
  return (await createApiKey(openSession(em, scope, session.apiKeyId), input)).token;
}
