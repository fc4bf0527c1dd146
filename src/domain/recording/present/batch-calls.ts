import { Concurrency } from '#domain/kernel/concurrency.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { openSession, report, type Session } from '#domain/kernel/session.ts';
import { acceptedFirst } from '#domain/recording/inbox/count-accepted-usage.ts';
import { type Recorded, recordCalls } from '#domain/recording/record-calls.ts';
import type { Call } from '#domain/recording/usage-call.ts';
import { Batching, type BatchingOptions } from '#engines/batching/batching.ts';

interface Asked {
  readonly session: Session;
  readonly call: Call;
}

/** The result of a call, or the error for which it was not recorded. */
type Outcome = Recorded | Error;

const sizeOf = ({ call }: Asked) => call.events.length;

/**
 * How calls of a pricing model are batched. Few single events use one transaction at a time: fewer transactions carry
 * more events each, and a balance changes once for all of them. With many single events, and for bulk calls, a second
 * transaction prepares while the first commits. Short bulk calls often name the same balances, so each of the two waits
 * for the callers of the last one.
 */
const kinds = {
  single: { workers: 2, crowd: 20, most: 500, patienceMilliseconds: 10, sizeOf },
  short: { workers: 2, most: 4_000, patienceMilliseconds: 10, sizeOf },
  long: { workers: 2, most: 4_000, sizeOf },
} satisfies Record<string, BatchingOptions<Asked>>;

const longestShort = 250;

/** The kind of a call, by its form and its events. */
const kindOf = ({ events, isBulk }: Call): keyof typeof kinds =>
  isBulk ? (events.length > longestShort ? 'long' : 'short') : 'single';

/** The limit for all pricing models together: other requests need connections, too. */
const transactionsAtOnce = 6;
const triedAtOnce = 4;

interface Waiting {
  readonly turns: Concurrency;
  readonly gatherings: Map<string, Batching<Asked, Outcome>>;
}

/** The calls that wait to be written, by connection. */
const waiting = new WeakMap<object, Waiting>();

/**
 * Records a call together with simultaneous ones: each is recorded, or refused, as if it were alone. Errors: the
 * reason of its refusal.
 */
export async function recordTogether(session: Session, call: Call): Promise<Recorded> {
  const kind = kindOf(call);
  const connection = session.em.getConnection();
  const { turns, gatherings } = waiting.get(connection) ?? {
    turns: new Concurrency(transactionsAtOnce),
    gatherings: new Map<string, Batching<Asked, Outcome>>(),
  };
  waiting.set(connection, { turns, gatherings });
  const key = `${kind} ${session.pricingModelId}`;
  const gathering =
    gatherings.get(key) ?? new Batching((asked) => turns.take(() => write(asked)), kinds[kind]);
  gatherings.set(key, gathering);
  const outcome = await gathering.add({ session, call });
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

/** The actor of a transaction that several keys share; each call's own events name its own key. */
const batch = { type: 'system', id: 'usage-batch' } as const;

/** Writes calls together: the session has only their common scope, and the time of the last one. */
async function write(asked: readonly Asked[]): Promise<Outcome[]> {
  const [{ session }] = asked as readonly [Asked];
  if (asked.length === 1) return Promise.all(asked.map(alone));
  const { em, organizationId, livemode, pricingModelId, keyType, clock } = session;
  const [apiKeyId, ...others] = new Set(asked.map(({ session }) => session.apiKeyId));
  const now = new Date(Math.max(...asked.map(({ session }) => session.now.getTime())));
  const actor = batch;
  const scope = { organizationId, livemode, pricingModelId, keyType, now, clock, actor };
  try {
    const own = openSession(em, scope, others.length === 0 ? apiKeyId : undefined);
    return await recordCalls(
      own,
      asked.map(({ call }) => call),
      acceptedFirst(own),
    );
  } catch (error) {
    // A refusal reaches its own caller below. Any other failure of the batch may not recur for single calls.
    if (!(error instanceof DomainError)) report(session, pricingModelId, error);
    const outcomes: Outcome[] = [];
    for (let from = 0; from < asked.length; from += triedAtOnce) {
      outcomes.push(...(await Promise.all(asked.slice(from, from + triedAtOnce).map(alone))));
    }
    return outcomes;
  }
}

async function alone({ session, call }: Asked): Promise<Outcome> {
  try {
    return (await recordCalls(session, [call], acceptedFirst(session)))[0] as Outcome;
  } catch (error) {
    return error as Error;
  }
}
