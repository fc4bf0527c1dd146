import type { EntityManager } from '@mikro-orm/postgresql';
import type { Keyed } from './idempotency/keyed.ts';

/** `secret` keys may do everything, `publishable` ones read the catalog (specification, Authentication). */
export const apiKeyTypes = ['secret', 'publishable'] as const;
export type ApiKeyType = (typeof apiKeyTypes)[number];

/** The latest instant at which a request has changed something; reads that follow show what holds then. */
export interface LiveClock {
  latest: Date;
}

/** The rows a request can see and the tenant its own rows belong to. */
export interface Scope {
  readonly organizationId: string;
  readonly livemode: boolean;
  readonly pricingModelId: string;
  readonly keyType: ApiKeyType;
  /** The request or the job that is behind this unit of work. */
  readonly causeId?: string;
  /** Whether all of it is taken back in the end: whoever moves money only plans to. */
  readonly dryRun?: boolean;
  /** The instant at which this unit of work happens; the domain reads no other clock. */
  readonly now: Date;
  /**
   * Present where `now` is the present. A lock that has been waited for then answers a session with the database's
   * instant, so that processes with different clocks agree. Absent where an instant was chosen, as by a job.
   */
  readonly clock?: LiveClock | undefined;
}

/** One unit of work: who acts, through which EntityManager, and at what time. */
export interface Session extends Scope {
  readonly em: EntityManager;
  /** The key that acts; absent for the process itself (start, command line, cron). */
  readonly apiKeyId: string | undefined;
  /** The caller's `Idempotency-Key`, with what is known of it. */
  readonly idempotency?: Keyed;
}

/**
 * A session on a fresh EntityManager. The scope is the parameter of the `tenant` filter, which forks
 * for transactions inherit, and from which the tenant columns of new rows are filled.
 */
export function openSession(em: EntityManager, scope: Scope, apiKeyId?: string): Session {
  const fork = em.fork({ keepTransactionContext: true });
  fork.setFilterParams('tenant', { ...scope });
  return { ...scope, em: fork, apiKeyId };
}

/** The scope that `openSession` has put on this EntityManager or on the one it was forked from. */
export function scopeOf(em: EntityManager): Scope {
  return em.getFilterParams<Scope & Record<string, unknown>>('tenant');
}

/** The same caller, looking into another pricing model of its organization and mode. */
export function enterPricingModel(session: Session, pricingModelId: string): Session {
  if (pricingModelId === session.pricingModelId) return session;
  const { organizationId, livemode, keyType, now, clock, apiKeyId } = session;
  const { dryRun = false } = session;
  const scope = { organizationId, livemode, keyType, now, clock, dryRun, pricingModelId };
  return openSession(session.em, scope, apiKeyId);
}
