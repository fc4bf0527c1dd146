import type { EntityManager } from '@mikro-orm/postgresql';
import { requireServed } from './absent-organizations.ts';
import type { CallerScope, OperatorRole } from './access-scopes.ts';
import type { OnFailure } from './failures.ts';
import { type Actor, UnitCause } from './unit-cause.ts';

/** `secret` keys may do everything; `publishable` keys only read the active catalog. */
export const apiKeyTypes = ['secret', 'publishable'] as const;

export type ApiKeyType = (typeof apiKeyTypes)[number];

/** The type of a caller's credential. A customer token sees one customer and the active catalog. */
export type CredentialType = ApiKeyType | 'customer_token';

export type { Actor };

/** The latest instant of a change by the request; later reads show the state of at least that instant. */
interface LiveClock {
  latest: Date;
}

/** The operator whose session a request has. */
interface SignedInOperator {
  readonly id: string;
  readonly sessionId: string;
  readonly role: OperatorRole;
}

/** The rows that a request can see, and the tenant of its own rows. */
export interface Scope {
  readonly organizationId: string;
  readonly livemode: boolean;
  readonly pricingModelId: string;
  readonly keyType: CredentialType;
  /** The only customer whose rows a customer token sees; absent for every other caller. */
  readonly customerId?: string | undefined;
  /** The customer token of the caller. */
  readonly customerTokenId?: string | undefined;
  /** The operator, where the request has the session of one; absent for every other caller. */
  readonly operator?: SignedInOperator | undefined;
  /** The scopes of the credential; absent or null when it may do everything that its type allows. */
  readonly scopes?: readonly CallerScope[] | null | undefined;
  /** The request or the job that causes this unit of work. */
  readonly causeId?: string;
  /** The actor, where it is neither an API key nor the job that `causeId` names. */
  readonly actor?: Actor;
  /** The cause of all changes of this unit of work; `openSession` sets it. */
  readonly cause?: UnitCause | undefined;
  /** The run of the job and the row that it works on, for the cause. */
  readonly cronRunId?: string | undefined;
  readonly subjectId?: string | undefined;
  /** Whether all of it is rolled back in the end; then the payment processor only plans. */
  readonly dryRun?: boolean;
  /** Is called with the changes that a catalog document makes; a dry run shows them. */
  readonly onPlan?: ((plan: object) => void) | undefined;
  /** Is called with failures that do not affect the result: they are retried later, and the log shows them. */
  readonly onFailure?: OnFailure;
  /** The instant of this unit of work; the domain reads no other clock. */
  readonly now: Date;
  /**
   * Present where `now` is the present. After a lock the session then gets the database's instant, so that processes
   * with different clocks agree. Absent where an instant was chosen, as by a job.
   */
  readonly clock?: LiveClock | undefined;
}

/** One unit of work: the actor, the EntityManager and the instant. */
export interface Session extends Scope {
  readonly em: EntityManager;
  /** The API key of the actor; absent for the process itself (start, command line, cron). */
  readonly apiKeyId: string | undefined;
  readonly actor: Actor;
  readonly cause: UnitCause;
  /** The caller's `Idempotency-Key`, with its stored state. */
  readonly idempotency?: Keyed;
}

/**
 * A session on a fresh EntityManager. The scope is the parameter of the `tenant` filter: forks for transactions
 * inherit it, and it fills the tenant columns of new rows. `unit` is the cause of the unit of work that the session
 * continues; without it a new one starts. Errors: SERVICE_UNAVAILABLE for an organization that is being moved,
 * and MISDIRECTED for one that has left.
 */
export function openSession<S extends Scope>(
  em: EntityManager,
  scope: S,
  apiKeyId?: string,
  unit?: UnitCause,
): Session & S {
  requireServed(em, scope.organizationId);
  const fork = em.fork({ keepTransactionContext: true });
  const actor = actorOf(scope, apiKeyId);
  const cause = unit ?? new UnitCause(scope, actor);
  fork.setFilterParams('tenant', new TenantParams(scope, actor, cause));
  return { ...scope, em: fork, apiKeyId, actor, cause };
}

/** The parameters of the `tenant` filter: only the scope, since a caller's session may have more properties. */
class TenantParams implements Scope {
  readonly organizationId: string;
  readonly livemode: boolean;
  readonly pricingModelId: string;
  readonly keyType: CredentialType;
  readonly customerId: string | undefined;
  declare readonly causeId?: string;
  declare readonly dryRun?: boolean;
  readonly now: Date;
  readonly clock: LiveClock | undefined;
  readonly actor: Actor;
  readonly cause: UnitCause;

  constructor(scope: Scope, actor: Actor, cause: UnitCause) {
    this.organizationId = scope.organizationId;
    this.livemode = scope.livemode;
    this.pricingModelId = scope.pricingModelId;
    this.keyType = scope.keyType;
    this.customerId = scope.customerId;
    if (scope.causeId !== undefined) this.causeId = scope.causeId;
    if (scope.dryRun !== undefined) this.dryRun = scope.dryRun;
    this.now = scope.now;
    this.clock = scope.clock;
    this.actor = actor;
    this.cause = cause;
  }

  /** A scope never changes, so forks share it: by default the ORM copies it deeply for each of them. */
  clone(): this {
    return this;
  }
}

/** A unit of work without a key and with a cause is a job; without either it belongs to the start. */
function actorOf(
  { actor, causeId, customerTokenId, operator }: Scope,
  apiKeyId: string | undefined,
): Actor {
  if (operator) return { type: 'operator', id: operator.id };
  if (customerTokenId) return { type: 'customer_token', id: customerTokenId };
  if (apiKeyId) return { type: 'api_key', id: apiKeyId };
  return actor ?? (causeId ? { type: 'job', id: causeId } : { type: 'system', id: 'start' });
}

/** The scope of this EntityManager, set by `openSession` on it or on its origin. */
export function scopeOf(em: EntityManager): Scope {
  return em.getFilterParams<Scope & Record<string, unknown>>('tenant');
}

/** The id of the caller's API key, customer token or session; the empty text for the process itself. */
export const credentialIdOf = ({
  customerTokenId,
  operator,
  apiKeyId,
}: Pick<Session, 'customerTokenId' | 'operator' | 'apiKeyId'>): string =>
  customerTokenId ?? operator?.sessionId ?? apiKeyId ?? '';

/** Reports a failure that does not fail the call, with the id of the record that it concerns. */
export function report(session: Scope, id: string, error: unknown) {
  const { onFailure, organizationId, pricingModelId, livemode } = session;
  onFailure?.(error, { id, organizationId, pricingModelId, livemode });
}

/** The same caller in another pricing model of its organization, in its own mode unless another one is named. */
export function enterPricingModel(
  session: Session,
  pricingModelId: string,
  livemode = session.livemode,
): Session {
  if (pricingModelId === session.pricingModelId) return session;
  const { organizationId, keyType, now, clock, apiKeyId } = session;
  const { causeId, actor, cause, dryRun = false, onFailure } = session;
  const { customerId, customerTokenId, operator, scopes } = session;
  const scope = {
    customerId,
    customerTokenId,
    operator,
    scopes,
    organizationId,
    livemode,
    keyType,
    now,
    clock,
    dryRun,
    pricingModelId,
    actor,
    ...(causeId && { causeId }),
    ...(onFailure && { onFailure }),
  };
  return openSession(session.em, scope, apiKeyId, cause);
}

/** A request with an `Idempotency-Key`, as its commands see it. */
export interface Keyed {
  readonly key: string;
  /** SHA-256 of the whole request. */
  readonly fingerprint: string;
  /** The committed result of an earlier attempt's first transaction; undefined when there was none. */
  readonly progress?: unknown;
  /** Whether the operation has one field only, so that a command may have the request's transaction to itself. */
  readonly isAlone?: boolean;
  /** Present for an `@atomic` operation: after the first failure no later field is tried. */
  readonly together?: { hasFailed: boolean } | undefined;
  /** Set by such a command when it has failed: the whole transaction is rolled back. */
  isSpoiled?: boolean;
  /**
   * Set by a command that cannot continue within the request's transaction. That transaction is rolled back, this
   * function runs in its own transactions, and the request restarts.
   */
  restart?: (session: Session) => Promise<void>;
}
