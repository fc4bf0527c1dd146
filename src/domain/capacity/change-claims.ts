import type { PostgreSqlConnection } from '@mikro-orm/postgresql';
import { onlyCommand } from '#domain/kernel/command.ts';
import { Concurrency } from '#domain/kernel/concurrency.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { originText } from '#domain/platform/feed/origin.ts';
import { Batching } from '#engines/batching/batching.ts';
import { asJson, largestCall, mostListed } from './claim-input.ts';
import { callClaimFunction, type UseAfter } from './claim-statements.ts';

/** A call that claims or releases, by a number, by names or by ids. */
export interface ClaimCall {
  readonly verb: 'claim' | 'release';
  readonly subscriptionId: string;
  readonly resourceSlug: string;
  readonly quantity: number | null;
  readonly names: readonly string[] | null;
  readonly ids: readonly string[] | null;
  readonly metadata: object | null;
  /** Units that are available even if the resource is full. */
  readonly guaranteed: number;
}

/** The results of a call, as the functions in `sql` name them. After `due` and `alone` it is repeated. */
export const claimOutcomes = [
  'claimed',
  'released',
  'due',
  'alone',
  'unknown subscription',
  'unknown resource',
  'unknown claim',
  'not granted',
  'ended',
  'incomplete',
  'paused',
  'withheld',
  'no capacity',
  'too many',
  'too few',
] as const;

/** The result of a call: the change, or the reason why there is none. */
export interface ClaimOutcome extends UseAfter {
  readonly outcome: (typeof claimOutcomes)[number];
  /** How many more claims were needed. */
  readonly needed: string | null;
}

interface Asked {
  readonly session: Session;
  readonly call: ClaimCall;
}

/** The claims by number that one statement changes, so that it ends within the time limit of a statement. */
const mostAtOnce = 20_000;

/** Larger calls run alone, so that no small call waits for them. */
const largestTogether = 100;

const gatherings = new WeakMap<object, Batching<Asked, ClaimOutcome>>();

/** How many large calls run at a time: each has a connection for minutes. */
const mostLarge = 3;
const turns = new WeakMap<object, Concurrency>();

/**
 * Executes a call in one statement. Simultaneous calls share a transaction, each with its own outcome; a call within
 * a larger transaction does not.
 */
export async function changeClaims(session: Session, call: ClaimCall): Promise<ClaimOutcome> {
  await requireOwn(session, call.subscriptionId);
  const { quantity, names, ids, guaranteed } = call;
  const size = Math.max(quantity ?? 0, names?.length ?? 0, ids?.length ?? 0, guaranteed);
  if (quantity !== null && quantity > Math.max(mostAtOnce, guaranteed)) {
    return turnsOf(session).take(() => inParts(session, call, quantity));
  }
  if (session.em.isInTransaction() || size > largestTogether || guaranteed > 0)
    return alone(session, call);
  const outcome = await gatheringOf(session).add({ session, call });
  return outcome.outcome === 'alone' ? alone(session, call) : outcome;
}

/** The functions of the database know the tenant, not the customer of a token. Errors: NOT_FOUND. */
async function requireOwn({ em, customerId }: Session, subscriptionId: string) {
  if (customerId !== undefined) await em.findOneOrFail(Subscription, subscriptionId);
}

/**
 * Executes a large call in several statements of one transaction, which acts at one instant. The first statement
 * compares the whole number with the capacity, or with the active claims, and lists claims.
 */
function inParts(session: Session, call: ClaimCall, quantity: number): Promise<ClaimOutcome> {
  return onlyCommand(session, async (session) => {
    const first = await alone(session, call);
    const [claim] = first.claims ?? [];
    if (!claim || !['claimed', 'released'].includes(first.outcome)) return first;
    const at = new Date((call.verb === 'claim' ? claim.createdAt : claim.releasedAt) as number);
    let last = first;
    for (let left = quantity - mostAtOnce; left > 0; left -= mostAtOnce) {
      const part = { ...call, quantity: Math.min(left, mostAtOnce) };
      last = await alone(session, part, { at, listed: 0 });
      if (last.outcome !== first.outcome) throw new Error(`A part of a call is ${last.outcome}`);
    }
    return { ...last, claims: first.claims };
  });
}

interface Part {
  /** The chosen instant; null for the present. */
  readonly at: Date | null;
  /** How many claims the result lists. */
  readonly listed: number;
}

function alone(
  session: Session,
  call: ClaimCall,
  { at, listed }: Part = { at: instantOf(session), listed: mostListed },
): Promise<ClaimOutcome> {
  const { subscriptionId, resourceSlug, quantity, names, ids, metadata, guaranteed } = call;
  const { pricingModelId } = session;
  const origin = originText(session);
  const asked = [subscriptionId, pricingModelId, resourceSlug, at, quantity, asJson(names)];
  return call.verb === 'claim'
    ? callClaimFunction(session, 'claim_resource', [
        ...asked,
        asJson(metadata),
        guaranteed,
        Math.max(largestCall, guaranteed),
        mostAtOnce,
        listed,
        origin,
      ])
    : callClaimFunction(session, 'release_resource', [
        ...asked,
        asJson(ids),
        largestCall,
        mostAtOnce,
        listed,
        origin,
      ]);
}

function turnsOf({ em }: Session): Concurrency {
  const connection = em.getConnection();
  const own = turns.get(connection) ?? new Concurrency(mostLarge);
  turns.set(connection, own);
  return own;
}

function gatheringOf({ em }: Session) {
  const connection = em.getConnection() as PostgreSqlConnection;
  const gathering =
    gatherings.get(connection) ??
    new Batching<Asked, ClaimOutcome>((asked) => together(connection, asked), {
      // One worker carries more calls than several; a batch waits for another at most a tenth of a second.
      workers: 1,
      patienceMilliseconds: 3,
      most: 32,
      keyOf: ({ call }) => call.subscriptionId,
      // A claim and its release in one transaction would make one event instead of two. Calls by number go first.
      kindOf: ({ call }) => `${call.verb} ${call.quantity === null ? 'named' : 'number'}`,
    });
  gatherings.set(connection, gathering);
  return gathering;
}

/** The chosen instant of a call; null for the present, which the functions read after their locks. */
const instantOf = ({ clock, now }: Session) => (clock ? null : now);

const left = { outcome: 'alone' } as ClaimOutcome;

async function together(connection: PostgreSqlConnection, asked: readonly Asked[]) {
  const pool = await connection.getNativeClient();
  const calls = asked.map(({ session, call }) => ({
    verb: call.verb,
    subscription: call.subscriptionId,
    model: session.pricingModelId,
    slug: call.resourceSlug,
    now: instantOf(session),
    quantity: call.quantity,
    names: call.names,
    ids: call.ids,
    metadata: call.metadata,
    largest: largestCall,
    cause: originText(session),
  }));
  try {
    const { rows } = await pool.query<ClaimOutcome & { place: number }>({
      name: 'change_claims',
      text: 'select * from change_claims($1)',
      values: [JSON.stringify(calls)],
    });
    return rows.toSorted((a, b) => a.place - b.place);
  } catch (error) {
    if (!isRolledBack(error)) throw error;
    // One call may have failed the whole batch. Each is repeated alone, and the one at fault gets its own error.
    const [first] = asked;
    if (first) report(first.session, first.call.subscriptionId, error);
    return asked.map(() => left);
  }
}

/**
 * Whether the database has refused a statement and so rolled it back. After a lost connection the outcome is unknown.
 */
function isRolledBack(error: unknown): boolean {
  const { code, severity } = error as { code?: string; severity?: string };
  return severity !== undefined && code !== undefined && !code.startsWith('57P');
}
