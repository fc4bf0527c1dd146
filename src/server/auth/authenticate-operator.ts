import type { MikroORM } from '@mikro-orm/postgresql';
import { type OperatorRole, scopesOfRole } from '#domain/kernel/access-scopes.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { openSession } from '#domain/kernel/session.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import { sessionLife } from '#domain/model/platform/operator-session.ts';
import { hashSecretText } from '#domain/platform/commands/operators/secret-text.ts';
import type { EventHub } from '../feed/event-hub.ts';
import type { KeySession } from './authenticate.ts';
import { AuthenticationError } from './authentication-error.ts';
import type { OperatorCredential } from './operator-credential.ts';

/** How often the last request of a session is recorded. */
const seenMilliseconds = 60_000;

/** Opens the session of an operator. Errors: UNAUTHORIZED; NOT_FOUND for a pricing model of another mode. */
export type AuthenticateOperator = (
  credential: OperatorCredential,
  causeId: string | undefined,
  beforeLookup: () => void,
) => Promise<KeySession>;

/** A session, its operator and the pricing model that a request names, as one row. Instants are milliseconds. */
interface Found {
  readonly sessionId: string;
  readonly expiresAt: number;
  readonly lastSeenAt: number;
  readonly isRevoked: boolean;
  readonly operatorId: string;
  readonly role: OperatorRole;
  readonly active: boolean;
  readonly organizationId: string;
  readonly pricingModelId: string | null;
}

/**
 * Turns the cookie of an operator into a session that sees the organization in the mode and the pricing model that
 * the request names. Each request reads the session and the role, so that a change of them counts at once. Sockets
 * and streams of a revoked session end.
 */
export function createAuthenticateOperator(orm: MikroORM, hub: EventHub): AuthenticateOperator {
  hub.onEach('operator_session.revoked', ({ objectId }) => hub.dismiss(objectId));

  return async ({ text, livemode, pricingModelId }, causeId, beforeLookup) => {
    beforeLookup();
    const now = await presentOf(orm.em);
    const found = await lookUp(orm, { text, livemode, pricingModelId });
    const end = found && endOf(found);
    if (!found?.active || found.isRevoked || !end || end <= now) {
      throw new AuthenticationError(
        found ? (found.isRevoked || !found.active ? 'revoked' : 'expired') : 'unknown',
        'The session has ended: sign in again',
      );
    }
    if (pricingModelId && !found.pricingModelId) {
      throw new DomainError(
        'NOT_FOUND',
        `There is no pricing model ${pricingModelId} in ${livemode ? 'live' : 'test'} mode`,
      );
    }
    if (now.getTime() - found.lastSeenAt >= seenMilliseconds) await recordSeen(orm, found, now);
    const { operatorId, sessionId, role, organizationId } = found;
    const scope = {
      organizationId,
      livemode,
      // Empty in a mode without a catalog: such a session finds nothing and may create a pricing model.
      pricingModelId: found.pricingModelId ?? '',
      keyType: 'secret',
      operator: { id: operatorId, sessionId, role },
      scopes: scopesOfRole[role],
      now,
      clock: { latest: now },
      expiresAt: end,
      allowedOrigins: null,
      ...(causeId && { causeId }),
    } as const;
    return openSession(orm.em, scope);
  };
}

const endOf = ({ expiresAt, lastSeenAt }: Found) =>
  new Date(Math.min(expiresAt, lastSeenAt + sessionLife.idleSeconds * 1_000));

/** The only read without a tenant: it finds the tenant. */
async function lookUp(
  orm: MikroORM,
  { text, livemode, pricingModelId }: OperatorCredential,
): Promise<Found | undefined> {
  const [found] = await orm.em.fork().execute<Found[]>(
    `select s.id as "sessionId", extract(epoch from s.expires_at)::float8 * 1000 as "expiresAt",
       extract(epoch from s.last_seen_at)::float8 * 1000 as "lastSeenAt", s.revoked_at is not null as "isRevoked",
       o.id as "operatorId", o.role, o.active, o.organization_id as "organizationId",
       (select m.id from pricing_model m where m.organization_id = o.organization_id and m.livemode = ?
          and m.id = coalesce(?, m.id) order by m.is_default desc, m.created_at limit 1) as "pricingModelId"
     from operator_session s join operator o on o.id = s.operator_id where s.hash_text = ?`,
    [livemode, pricingModelId ?? null, hashSecretText(text)],
  );
  return found;
}

const recordSeen = (orm: MikroORM, { sessionId }: Found, now: Date) =>
  orm.em
    .fork()
    .execute('update operator_session set last_seen_at = greatest(last_seen_at, ?) where id = ?', [
      now,
      sessionId,
    ]);
