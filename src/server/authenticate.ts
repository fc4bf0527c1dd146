import type { MikroORM } from '@mikro-orm/postgresql';
import { ApiKey } from '#domain/api-keys/api-key.ts';
import { DomainError, type Issue } from '#domain/kernel/errors.ts';
import { presentOf } from '#domain/kernel/present.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { hashCredential, isCredential } from '#domain/rules/access/credential.ts';
import type { EventHub } from './event-hub.ts';

/** A known key is not looked up again for this long; a change of it is noticed immediately. */
const rememberedMilliseconds = 5_000;
const rememberedKeys = 10_000;
/** Longer than any transaction lasts: a key that has just changed is looked up each time. */
const unsettledMilliseconds = 60_000;

/** The reason why a key is refused; the client receives only the message. */
export type AuthenticationFailure = 'missing' | 'malformed' | 'unknown' | 'revoked' | 'expired';

/** A refused key, for the log: the reason, and the key itself if it is known. */
export class AuthenticationError extends DomainError {
  readonly reason: AuthenticationFailure;
  readonly apiKey: ApiKey | undefined;

  constructor(
    reason: AuthenticationFailure,
    message: string,
    { apiKey, issues }: { apiKey?: ApiKey | undefined; issues?: readonly Issue[] } = {},
  ) {
    super('UNAUTHORIZED', message, { ...(issues && { issues }) });
    this.reason = reason;
    this.apiKey = apiKey;
  }
}

/**
 * Opens the session of an API key. `beforeLookup` runs before a key that has not been seen valid
 * is looked up, and may refuse it. Errors: UNAUTHORIZED.
 */
export type Authenticate = (
  header: string | null | undefined,
  causeId?: string,
  beforeLookup?: () => void,
) => Promise<KeySession>;

/** A session, with the expiry of its key. */
export interface KeySession extends Session {
  readonly expiresAt: Date | null;
}

/**
 * Turns an `Authorization` header (`Bearer <key>`, or the bare key) into a session that sees the
 * key's organization, mode and pricing model. Keys are compared by their SHA-256 in an index.
 */
export function createAuthenticate(orm: MikroORM, hub: EventHub): Authenticate {
  const remembered = new Map<string, { apiKey: ApiKey; until: number }>();
  const changed = new Map<string, number>();
  // Other processes announce a change after its commit; this one forgets the key before it.
  hub.onEach('api_key.updated', ({ objectId, data }) => {
    forget(objectId);
    if (data.active === false) hub.dismiss(objectId);
    else if (typeof data.expiresAt === 'number') dismissAt(hub, objectId, data.expiresAt);
  });
  orm.em.getEventManager().registerSubscriber({
    getSubscribedEntities: () => [ApiKey],
    afterUpdate: ({ entity }) => forget(entity.id),
  });

  return async (header, causeId, beforeLookup) => {
    const now = await presentOf(orm.em);
    const credential = credentialIn(header);
    const apiKey = await find(credential, now, beforeLookup);
    if (!apiKey?.isUsable(now)) {
      remembered.delete(credential);
      const reason = !apiKey ? 'unknown' : apiKey.active ? 'expired' : 'revoked';
      const message = 'The API key is unknown, revoked or expired';
      throw new AuthenticationError(reason, message, { apiKey: apiKey ?? undefined });
    }
    const { organizationId, livemode, pricingModelId, type: keyType } = apiKey;
    const scope = {
      organizationId,
      livemode,
      pricingModelId,
      keyType,
      now,
      clock: { latest: now },
      ...(causeId && { causeId }),
    };
    return { ...openSession(orm.em, scope, apiKey.id), expiresAt: apiKey.expiresAt ?? null };
  };

  async function find(credential: string, now: Date, beforeLookup?: () => void) {
    const known = remembered.get(credential);
    if (known && known.until > now.getTime()) return known.apiKey;
    const hashText = hashCredential(credential);
    if (!known) beforeLookup?.();
    // The one read without a tenant: it finds the tenant.
    const apiKey = await orm.em
      .fork()
      .findOne(ApiKey, { hashText }, { filters: { tenant: false } });
    if (apiKey && (changed.get(apiKey.id) ?? 0) < now.getTime()) {
      if (remembered.size >= rememberedKeys) remembered.clear();
      remembered.set(credential, { apiKey, until: now.getTime() + rememberedMilliseconds });
    }
    return apiKey;
  }

  /**
   * A lookup in progress may be older than the change, so the key stays unremembered for a while.
   */
  function forget(id: string) {
    for (const [credential, { apiKey }] of remembered) {
      if (apiKey.id === id) remembered.delete(credential);
    }
    const now = Date.now();
    for (const [other, until] of changed) if (until < now) changed.delete(other);
    changed.set(id, now + unsettledMilliseconds);
  }
}

const longestTimerMilliseconds = 2_147_483_647;

/** A key whose expiry has changed: its live subscriptions end with it. */
function dismissAt(hub: EventHub, apiKeyId: string, at: number) {
  const milliseconds = at - Date.now();
  if (milliseconds > longestTimerMilliseconds) return;
  setTimeout(() => hub.dismiss(apiKeyId), Math.max(0, milliseconds)).unref();
}

function credentialIn(header: string | null | undefined): string {
  if (!header?.trim()) {
    throw new AuthenticationError('missing', 'Authorization not provided', {
      issues: [
        {
          code: 'REQUIRED',
          path: ['Authorization'],
          message: 'must be Bearer <API key>, or the bare key',
        },
      ],
    });
  }
  const credential = textIn(header);
  if (!credential || !isCredential(credential)) {
    throw new AuthenticationError(
      'malformed',
      /^[sp]k_(test|live)_/.test(credential ?? '')
        ? 'The API key is incomplete or contains a character that keys do not have'
        : 'Authorization must be Bearer <API key>, or the bare key',
    );
  }
  return credential;
}

const textIn = (header: string | null | undefined) =>
  /^\s*(?:bearer\s+)?(\S+)\s*$/i.exec(header ?? '')?.[1];
