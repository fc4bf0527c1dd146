import type { EntityManager } from '@mikro-orm/postgresql';

/** `secret` keys may do everything, `publishable` ones read the catalog (specification, Authentication). */
export const apiKeyTypes = ['secret', 'publishable'] as const;
export type ApiKeyType = (typeof apiKeyTypes)[number];

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
  /** Is told of what has failed beside what was asked for: it is done again later, and must not go unnoticed. */
  readonly onFailure?: (error: unknown) => void;
  /** The instant at which this unit of work happens; the domain reads no other clock. */
  readonly now: Date;
}

/** One unit of work: who acts, through which EntityManager, and at what time. */
export interface Session extends Scope {
  readonly em: EntityManager;
  /** The key that acts; absent for the process itself (start, command line, cron). */
  readonly apiKeyId: string | undefined;
  /** The caller's `Idempotency-Key` and this try's part in it, under which a commit is remembered. */
  readonly idempotency?: { readonly key: string; readonly attempt: string };
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

/** Reports what has failed beside what was asked for, with what it concerns. */
export function report({ onFailure }: Pick<Scope, 'onFailure'>, what: string, cause: unknown) {
  onFailure?.(new Error(`${what} has failed: ${(cause as Error)?.message ?? cause}`, { cause }));
}

/** The same caller, looking into another pricing model of its organization and mode. */
export function enterPricingModel(session: Session, pricingModelId: string): Session {
  if (pricingModelId === session.pricingModelId) return session;
  const { organizationId, livemode, keyType, now, apiKeyId, dryRun = false, onFailure } = session;
  const scope = {
    organizationId,
    livemode,
    keyType,
    now,
    dryRun,
    pricingModelId,
    ...(onFailure && { onFailure }),
  };
  return openSession(session.em, scope, apiKeyId);
}
