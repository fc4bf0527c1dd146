import type { MikroORM } from '@mikro-orm/postgresql';
import { databaseFailure } from '#domain/kernel/database-failure.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { presentOf, recentPresent } from '#domain/kernel/values/present.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { CustomerToken } from '#domain/model/platform/customer-token.ts';
import { hashCredential } from '#domain/platform/access/credential.ts';
import { isTokenText, readTokenText } from '#domain/platform/access/token-text.ts';
import type { EventHub } from '../feed/event-hub.ts';
import {
  AuthenticationError,
  type AuthenticationFailure,
  type Credential,
} from './authentication-error.ts';
import { credentialIn, textIn } from './credential-text.ts';
import { dismissAt } from './dismiss-at.ts';

/** A known key is not looked up again for this long; a change of it is noticed immediately. */
const rememberedMilliseconds = 5_000;
const rememberedKeys = 10_000;
/** For this long a key that was valid is accepted while the database cannot be asked, by a process that needs it not. */
const graceMilliseconds = 60_000;
/** The pause between two tries to ask it for one key. */
const retryMilliseconds = 2_000;
/** Longer than any transaction lasts: a key that has just changed is looked up each time. */
const unsettledMilliseconds = 60_000;

/** A credential that was valid at `seen` and is not looked up again before `until`. */
interface Remembered {
  readonly credential: Credential;
  readonly seen: number;
  until: number;
  /** A lookup in progress. All requests with a known key wait for the same one. */
  lookup?: Promise<Credential | undefined> | undefined;
}

/** Opens the sessions of API keys and customer tokens. */
export interface Authenticate {
  /**
   * At once for a known one. `beforeLookup` runs before a key that has not been seen valid is looked up, and may refuse
   * it. Errors: UNAUTHORIZED.
   */
  (
    header: string | null | undefined,
    causeId?: string,
    beforeLookup?: () => void,
  ): Promise<KeySession> | KeySession;
  /** The session of a known one; undefined for any other. Asks no database. */
  recall(header: string | null | undefined, causeId?: string): KeySession | undefined;
}

/** A session, with the expiry of its credential and the origins whose pages may use it. */
export interface KeySession extends Session {
  readonly expiresAt: Date | null;
  /** Null for all. */
  readonly allowedOrigins: readonly string[] | null;
}

/**
 * Turns an `Authorization` header (`Bearer <key>`, or the bare key) into a session that sees the key's organization,
 * mode and pricing model, or a token's customer. Keys are compared by their SHA-256 in an index; the signature of a
 * token is checked before the database is asked. `outlivesDatabase`: a known key is accepted for 1 minute of an outage of
 * the database, since a stream accepts usage meanwhile.
 */
export function createAuthenticate(
  orm: MikroORM,
  hub: EventHub,
  { outlivesDatabase = false }: { readonly outlivesDatabase?: boolean } = {},
): Authenticate {
  // All of these are instants of this process that no setting of a clock moves.
  const remembered = new Map<string, Remembered>();
  const changed = new Map<string, number>();
  // Other processes announce a change after its commit; this one forgets the key before it.
  hub.onEach('api_key.updated', ({ objectId, data }) => {
    forget(objectId);
    if (data.active === false) hub.dismiss(objectId);
    else if (Array.isArray(data.allowedOrigins)) hub.dismiss(objectId, data.allowedOrigins);
    if (typeof data.expiresAt === 'number') dismissAt(orm.em, hub, objectId, data.expiresAt);
  });
  hub.onEach('customer_token.updated', ({ objectId, data }) => {
    forget(objectId);
    if (data.revokedAt != null) hub.dismiss(objectId);
  });
  // The tokens of a deleted customer are deleted with it.
  hub.onEach('customer.deleted', ({ objectId }) => {
    for (const [text, { credential }] of remembered) {
      if (credential instanceof CustomerToken && credential.customerId === objectId) {
        remembered.delete(text);
      }
    }
    hub.dismissCustomer(objectId);
  });
  orm.em.getEventManager().registerSubscriber({
    getSubscribedEntities: () => [ApiKey, CustomerToken],
    afterUpdate: ({ entity }) => forget(entity.id),
  });

  const open: Authenticate = (header, causeId, beforeLookup) =>
    recall(header, causeId) ?? authenticate(header, causeId, beforeLookup);
  open.recall = recall;
  return open;

  function recall(header: string | null | undefined, causeId?: string): KeySession | undefined {
    const known = remembered.get(textIn(header) ?? '');
    const now = known && recentPresent(orm.em);
    if (!now || known.until <= performance.now() || !known.credential.isUsable(now))
      return undefined;
    return sessionOf(orm, known.credential, now, causeId);
  }

  async function authenticate(
    header: string | null | undefined,
    causeId?: string,
    beforeLookup?: () => void,
  ): Promise<KeySession> {
    const now = await presentOf(orm.em);
    const text = credentialIn(header);
    const credential = await find(text, beforeLookup);
    if (!credential?.isUsable(now)) {
      remembered.delete(text);
      const message = isTokenText(text)
        ? 'The customer token is unknown, revoked or expired'
        : 'The API key is unknown, revoked or expired';
      throw new AuthenticationError(reasonOf(credential, now), message, { credential });
    }
    return sessionOf(orm, credential, now, causeId);
  }

  async function find(text: string, beforeLookup?: () => void): Promise<Credential | undefined> {
    const known = remembered.get(text);
    const asked = performance.now();
    if (known && known.until > asked) return known.credential;
    if (!known) beforeLookup?.();
    try {
      if (!known) return await lookUpAndRemember(text, asked);
      known.lookup ??= lookUpAndRemember(text, asked).finally(() => {
        known.lookup = undefined;
      });
      return await known.lookup;
    } catch (error) {
      const isKept = outlivesDatabase && databaseFailure(error) !== undefined;
      if (!isKept || !known || asked > known.seen + graceMilliseconds) throw error;
      known.until = asked + retryMilliseconds;
      return known.credential;
    }
  }

  async function lookUpAndRemember(text: string, asked: number): Promise<Credential | undefined> {
    const credential = await lookUp(text);
    if (credential && (changed.get(credential.id) ?? 0) < asked) {
      if (remembered.size >= rememberedKeys) remembered.clear();
      remembered.set(text, { credential, seen: asked, until: asked + rememberedMilliseconds });
    }
    return credential;
  }

  /** The only reads without a tenant: they find the tenant. */
  async function lookUp(text: string): Promise<Credential | undefined> {
    const anyTenant = { filters: { tenant: false } } as const;
    const em = orm.em.fork();
    if (!isTokenText(text)) {
      return (await em.findOne(ApiKey, { hashText: hashCredential(text) }, anyTenant)) ?? undefined;
    }
    const claims = readTokenText(text);
    if (!claims) return undefined;
    const token = await em.findOne(CustomerToken, { id: claims.id }, anyTenant);
    // The signature covers the expiry, so a token with another one is not the issued token.
    return token?.expiresAt.getTime() === claims.expiresAt.getTime() ? token : undefined;
  }

  /**
   * A lookup in progress may be older than the change, so the key stays unremembered for a while.
   */
  function forget(id: string) {
    for (const [text, { credential }] of remembered) {
      if (credential.id === id) remembered.delete(text);
    }
    const now = performance.now();
    for (const [other, until] of changed) if (until < now) changed.delete(other);
    changed.set(id, now + unsettledMilliseconds);
  }
}

function reasonOf(credential: Credential | undefined, now: Date): AuthenticationFailure {
  if (!credential) return 'unknown';
  const { expiresAt } = credential;
  const isRevoked =
    credential instanceof ApiKey ? !credential.active : credential.revokedAt != null;
  return !isRevoked && expiresAt != null && expiresAt <= now ? 'expired' : 'revoked';
}

/** The session of a usable credential. */
function sessionOf(orm: MikroORM, credential: Credential, now: Date, causeId?: string): KeySession {
  const { organizationId, livemode, pricingModelId, scopes = null } = credential;
  const { expiresAt = null, allowedOrigins = null } = credential;
  const isKey = credential instanceof ApiKey;
  const { id } = credential;
  const scope = {
    organizationId,
    livemode,
    pricingModelId,
    scopes,
    now,
    clock: { latest: now },
    keyType: isKey ? credential.type : ('customer_token' as const),
    customerTokenId: isKey ? undefined : id,
    customerId: isKey ? undefined : credential.customerId,
    expiresAt,
    allowedOrigins,
  };
  const own = causeId ? { ...scope, causeId } : scope;
  return openSession(orm.em, own, isKey ? id : undefined);
}
