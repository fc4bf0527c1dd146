import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import { createPricingModel } from '#domain/catalog/commands/pricing-models/create-pricing-model.ts';
import { defaultCurrency } from '#domain/catalog/currency.ts';
import { oldestFirst } from '#domain/kernel/columns.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { enterPricingModel, openSession, type Session } from '#domain/kernel/session.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { Organization } from '#domain/model/platform/organization.ts';
import { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import {
  createApiKey,
  createApiKeyInput,
} from '#domain/platform/commands/api-keys/create-api-key.ts';
import { revokeApiKey } from '#domain/platform/commands/api-keys/revoke-api-key.ts';
import type { Seller } from '#domain/platform/commands/organizations/found-organization.ts';
import type { CreateKey } from './arguments.ts';

const millisecondsPerDay = 86_400_000;

/** The actor in the events of these commands. */
const actor = { type: 'system', id: 'cli' } as const;

/** The command line looks for rows before their tenant is known. */
const anyTenant = { filters: { tenant: false } } as const;

/**
 * Issues a key and returns its text with its pricing model. A live key creates the first live pricing model if there
 * is none. Errors: BAD_REQUEST, NOT_FOUND.
 */
export async function createKey(em: EntityManager, options: CreateKey, now: Date) {
  const { name, type, expiresInDays, scopes, allowedOrigins } = options;
  const expiresAt = expiresInDays && new Date(now.getTime() + expiresInDays * millisecondsPerDay);
  const { data, error } = createApiKeyInput.safeParse({
    apiKey: { name, type, expiresAt: expiresAt ?? null, scopes, allowedOrigins },
  });
  if (error) throw new DomainError('BAD_REQUEST', '--name must have 1 to 255 characters');
  const session = await sessionFor(em, options, now);
  await requireCurrency(session, options.currency);
  await requireSeller(session, options.seller);
  const { token } = await createApiKey(session, data);
  const pricingModel = await session.em.findOneOrFail(PricingModel, session.pricingModelId);
  return { token, pricingModel };
}

/** Errors: BAD_REQUEST where the organization has another default currency, since a key does not change it. */
async function requireCurrency(session: Session, wanted: string | undefined) {
  const currency = await defaultCurrency(session);
  if (wanted === undefined || wanted === currency) return;
  throw new DomainError(
    'BAD_REQUEST',
    `The currency of the organization is ${currency}, not ${wanted}: leave --currency out, and change it with updateOrganization until something is priced`,
  );
}

/** Errors: BAD_REQUEST where the organization has another seller, since a key does not change it. */
async function requireSeller({ em, organizationId, livemode }: Session, wanted: Seller = {}) {
  const settings = await em.findOneOrFail(OrganizationSettings, { organizationId, livemode });
  const other = Object.entries(wanted).find(
    ([field, value]) => !isDeepStrictEqual(settings[field as keyof Seller], value),
  );
  if (!other) return;
  throw new DomainError(
    'BAD_REQUEST',
    `The organization exists with another seller (${other[0]}): leave the --seller options out, and change it with updateOrganization`,
  );
}

/** All keys, oldest first, with the names of their pricing models. */
export async function listKeys(em: EntityManager) {
  const apiKeys = await em.find(ApiKey, {}, { ...anyTenant, orderBy: oldestFirst });
  const pricingModels = await em.find(PricingModel, {}, anyTenant);
  const names = new Map(pricingModels.map(({ id, name }) => [id, name]));
  return apiKeys.map((apiKey) => ({
    apiKey,
    pricingModel: `${names.get(apiKey.pricingModelId)} (${apiKey.pricingModelId})`,
  }));
}

/** Revokes a key. Errors: NOT_FOUND. */
export async function revokeKey(em: EntityManager, id: string, now: Date): Promise<ApiKey> {
  const apiKey = await em.findOne(ApiKey, { id }, anyTenant);
  if (!apiKey) throw new DomainError('NOT_FOUND', `There is no API key ${id}; list shows all keys`);
  return revokeApiKey(sessionAt(em, apiKey, now), { id });
}

type Tenant = Pick<Session, 'organizationId' | 'livemode' | 'pricingModelId'>;

/** A session of the command line in a known pricing model. */
const sessionAt = (
  em: EntityManager,
  { organizationId, livemode, pricingModelId }: Tenant,
  now: Date,
) => openSession(em, { organizationId, livemode, pricingModelId, keyType: 'secret', now, actor });

interface Place extends Pick<CreateKey, 'live' | 'pricingModelId'> {
  /** The organization; that of the pricing model, or the first one, when absent. */
  readonly organizationId?: string | undefined;
}

/** A session in a pricing model, or in the usual one of the mode, which is created if there is none. */
export async function sessionFor(em: EntityManager, options: Place, now: Date): Promise<Session> {
  const { live: livemode, pricingModelId } = options;
  const given = pricingModelId ? await givenPricingModel(em, pricingModelId, livemode) : undefined;
  const organizationId =
    given?.organizationId ?? options.organizationId ?? (await firstOrganization(em)).id;
  const session = sessionAt(em, { organizationId, livemode, pricingModelId: given?.id ?? '' }, now);
  if (given) return session;
  const [usual] = await session.em.find(
    PricingModel,
    {},
    { orderBy: { isDefault: 'desc', createdAt: 'asc' }, limit: 1 },
  );
  return enterPricingModel(session, (usual ?? (await createFirstPricingModel(session))).id);
}

async function givenPricingModel(em: EntityManager, id: string, livemode: boolean) {
  const pricingModel = await em.findOne(PricingModel, { id }, anyTenant);
  if (!pricingModel) throw new DomainError('NOT_FOUND', `There is no pricing model ${id}`);
  if (pricingModel.livemode === livemode) return pricingModel;
  const message = livemode
    ? `Pricing model ${id} is one of test mode: leave --live out`
    : `Pricing model ${id} is one of live mode: add --live`;
  throw new DomainError('BAD_REQUEST', message);
}

/** The first organization of the database. Errors: NOT_FOUND. */
export async function firstOrganization(em: EntityManager) {
  const [first] = await em.find(Organization, {}, { orderBy: { createdAt: 'asc' }, limit: 1 });
  if (!first) throw new DomainError('NOT_FOUND', 'There is no organization in this database');
  return first;
}

/** The first pricing model of live mode: founding an organization creates only that of test mode. */
const createFirstPricingModel = (session: Session) =>
  createPricingModel(session, {
    pricingModel: { name: 'Live', isDefault: true },
    defaultPlanIntervalUnit: 'month',
  });
