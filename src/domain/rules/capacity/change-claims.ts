import type { PostgreSqlConnection } from '@mikro-orm/postgresql';
import { Batching } from '#domain/kernel/batching.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { originText } from '#domain/rules/feed/origin.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { asJson, largestCall } from './claim-input.ts';
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

/** The result of a call: `claimed`, `released`, `due`, or the reason of a refusal. */
export interface ClaimOutcome extends UseAfter {
  readonly outcome: string;
  /** How many more claims were needed. */
  readonly needed: string | null;
}

interface Asked {
  readonly session: Session;
  readonly call: ClaimCall;
}

/** Larger calls run alone, so that no small call waits for them. */
const largestTogether = 100;

const gatherings = new WeakMap<object, Batching<Asked, ClaimOutcome>>();

/**
 * Executes a call in one statement. Simultaneous calls share a transaction, each with its own outcome; a call within
 * a larger transaction does not.
 */
export async function changeClaims(session: Session, call: ClaimCall): Promise<ClaimOutcome> {
  await requireOwn(session, call.subscriptionId);
  const { quantity, names, ids, guaranteed } = call;
  const size = Math.max(quantity ?? 0, names?.length ?? 0, ids?.length ?? 0, guaranteed);
  if (session.em.isInTransaction() || size > largestTogether || guaranteed > 0)
    return alone(session, call);
  const outcome = await gatheringOf(session).add({ session, call });
  return outcome.outcome === 'alone' ? alone(session, call) : outcome;
}

/** The functions of the database know the tenant, not the customer of a token. Errors: NOT_FOUND. */
async function requireOwn({ em, customerId }: Session, subscriptionId: string) {
  if (customerId !== undefined) await em.findOneOrFail(Subscription, subscriptionId);
}

function alone(session: Session, call: ClaimCall): Promise<ClaimOutcome> {
  const { subscriptionId, resourceSlug, quantity, names, ids, metadata, guaranteed } = call;
  const { pricingModelId } = session;
  const origin = originText(session);
  const at = instantOf(session);
  const asked = [subscriptionId, pricingModelId, resourceSlug, at, quantity, asJson(names)];
  return call.verb === 'claim'
    ? callClaimFunction(session, 'claim_resource', [
        ...asked,
        asJson(metadata),
        guaranteed,
        Math.max(largestCall, guaranteed),
        origin,
      ])
    : callClaimFunction(session, 'release_resource', [...asked, asJson(ids), largestCall, origin]);
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
