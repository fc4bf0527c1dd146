import type { PostgreSqlConnection } from '@mikro-orm/postgresql';
import { Batching } from '#domain/kernel/batching.ts';
import type { Session } from '#domain/kernel/session.ts';
import { originText } from '#domain/rules/feed/origin.ts';
import { asJson, largestCall } from './claim-input.ts';
import { callClaimFunction, type UseAfter } from './claim-statements.ts';

/** A call that claims or releases: what it asks for, by a number, by names or by ids. */
export interface ClaimCall {
  readonly verb: 'claim' | 'release';
  readonly subscriptionId: string;
  readonly resourceSlug: string;
  readonly quantity: number | null;
  readonly names: readonly string[] | null;
  readonly ids: readonly string[] | null;
  readonly metadata: object | null;
  /** Units that are there however full it is. */
  readonly guaranteed: number;
}

/** What has come of it: `claimed`, `released`, `due`, or why it is refused. */
export interface ClaimOutcome extends UseAfter {
  readonly outcome: string;
  /** How many claims more were needed. */
  readonly needed: string | null;
}

interface Asked {
  readonly session: Session;
  readonly call: ClaimCall;
}

/** Larger calls go by themselves, so that nobody waits for them. */
const largestTogether = 100;

const gatherings = new WeakMap<object, Batching<Asked, ClaimOutcome>>();

/**
 * Carries a call out in one statement. Calls that come at the same time share a transaction, each as if it
 * were by itself; what is part of a larger transaction does not.
 */
export async function changeClaims(session: Session, call: ClaimCall): Promise<ClaimOutcome> {
  const { quantity, names, ids, guaranteed } = call;
  const size = Math.max(quantity ?? 0, names?.length ?? 0, ids?.length ?? 0, guaranteed);
  if (session.em.isInTransaction() || size > largestTogether || guaranteed > 0)
    return alone(session, call);
  const outcome = await gatheringOf(session).add({ session, call });
  return outcome.outcome === 'alone' ? alone(session, call) : outcome;
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
        largestCall,
        origin,
      ])
    : callClaimFunction(session, 'release_resource', [...asked, asJson(ids), largestCall, origin]);
}

function gatheringOf({ em }: Session) {
  const connection = em.getConnection() as PostgreSqlConnection;
  const gathering =
    gatherings.get(connection) ??
    new Batching<Asked, ClaimOutcome>((asked) => together(connection, asked), {
      // One at a time carries more; what a piece may wait for is a tenth of a second at most.
      lanes: 1,
      patienceMilliseconds: 3,
      most: 32,
      keyOf: ({ call }) => call.subscriptionId,
      // What is claimed and released in one transaction would be one event, and not two; and numbers go first.
      kindOf: ({ call }) => `${call.verb} ${call.quantity === null ? 'named' : 'number'}`,
    });
  gatherings.set(connection, gathering);
  return gathering;
}

/** The chosen instant of a call; null for the present, which the functions take when they have their locks. */
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
    if (!isTakenBack(error)) throw error;
    // What has failed with one of them may succeed with the others, and whoever it fails with is told then.
    return asked.map(() => left);
  }
}

/** Whether the database itself has refused a statement: of one whose connection was lost nobody knows what it did. */
function isTakenBack(error: unknown): boolean {
  const { code, severity } = error as { code?: string; severity?: string };
  return severity !== undefined && code !== undefined && !code.startsWith('57P');
}
