import type { MikroORM } from '@mikro-orm/postgresql';
import { DomainError } from '#domain/kernel/errors.ts';
import { openSession } from '#domain/kernel/session.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { readPortalLink } from '#domain/platform/access/portal-link.ts';
import { createCustomerToken } from '#domain/platform/commands/api-keys/create-customer-token.ts';
import { sessionSeconds } from './portal-session.ts';

/**
 * The customer token of the session that a link opens, for pages of `origin`, and of the origins of a link for a frame. Undefined for a forged, ended or
 * expired link, an archived customer, and a revoked key. The token ends with the key that created the link; after a rotation of that key
 * it ends with the link.
 */
export async function openPortalSession(
  orm: MikroORM,
  text: string,
  origin: string,
  isFramed: boolean,
) {
  const now = await presentOf(orm.em);
  const claims = readPortalLink(text, now);
  // A link for a frame opens nothing else, and no other link opens a frame.
  if (!claims || claims.origins.length > 0 !== isFramed) return undefined;
  const anyTenant = { filters: { tenant: false } } as const;
  // The only read without a tenant: the signed link names the customer.
  const customer = await orm.em.fork().findOne(Customer, claims.customerId, anyTenant);
  if (!customer) return undefined;
  const { organizationId, livemode, pricingModelId } = customer;
  const scope = { organizationId, livemode, pricingModelId, keyType: 'secret', now } as const;
  const session = openSession(orm.em, { ...scope, clock: { latest: now } }, claims.apiKeyId);
  try {
    const input = {
      customer: customer.id,
      scopes: [...claims.scopes],
      expiresIn: sessionSeconds,
      allowedOrigins: isFramed ? [...claims.origins] : [new URL(origin).origin],
    };
    const { token } = await createCustomerToken(session, input, claims);
    return token;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
