import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { TaxServiceFailed } from '#domain/catalog/taxing/tax-service-failed.ts';
import { command } from '#domain/kernel/command.ts';
import { databaseFailure } from '#domain/kernel/database-failure.ts';
import { despiteFailures } from '#domain/kernel/despite-failures.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { forEachDue, onlyPage } from '#domain/kernel/for-each-due.ts';
import { isUnleased, leaseHolder } from '#domain/kernel/lease.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import {
  type MoveFailure,
  mostFailures,
  PriceMove,
} from '#domain/model/subscriptions/price-move.ts';
import { ProcessorUnreachable } from '#domain/money/processing/port/processor-errors.ts';
import { afresh, afreshAtPresent } from '#domain/platform/locks/fresh-session.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import {
  AlreadyMoved,
  adjustmentToPrice,
  NotSubscribed,
} from '#domain/subscriptions/adjusting/adjust-to-price.ts';
import { movePhases } from '#domain/subscriptions/adjusting/move-phases.ts';
import type { MoveTerms } from '#domain/subscriptions/adjusting/move-terms.ts';
import { refusalReason } from '#domain/subscriptions/adjusting/refusal-reason.ts';
import { subscribersToMove } from '#domain/subscriptions/adjusting/subscribers-of-price.ts';
import { adjust } from './adjust-subscription.ts';

/** How long a move waits for another service. */
const pauseSeconds = 300;
/** How many subscriptions are read at once; the progress is emitted after them. */
const pageSize = 50;
/** How long the processor of one subscription is waited for; its change follows later than that. */
const patienceMilliseconds = 60_000;
/**
 * How often a subscription is tried while the database or another service gives no answer, with pauses between. A
 * service that refuses the question of one subscription will probably not answer it later, and an unexpected error will
 * probably recur; a service that is down answers all of them.
 */
const mostTries = { ofQuestion: 3, ofService: 48 };

/** The moves to continue, which no process that lives works on. */
const isDue = `status = 'running' and (retry_at is null or retry_at <= clock_timestamp()) and ${isUnleased}`;

/** The outcome of one subscription; neither for one that has left both prices meanwhile. */
interface Outcome {
  readonly moved: number;
  readonly failure?: MoveFailure;
}

/**
 * Continues every running move of every tenant, one subscription after the other. A move that is stopped, and one whose
 * process has crashed, loses and repeats nothing: the subscription that was being moved is examined first. Another
 * process leaves a move alone while this one works on it. Returns how many subscriptions were moved.
 */
export async function moveSubscribers(
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
): Promise<number> {
  let moved = 0;
  const page = onlyPage(em, `from price_move due where ${isDue} order by due.id`, []);
  await forEachDue({ em, now, causeId, onFailure }, { page }, async (session, { id }) => {
    moved += await continueMove(session, id);
  });
  return moved;
}

async function continueMove(session: Session, id: string): Promise<number> {
  const holder = leaseHolder(session);
  const { em } = afresh(session);
  const move = await em.findOneOrFail(PriceMove, id, { populate: ['fromPrice', 'toPrice'] });
  const { timing, prorate, keepNegotiatedPrices } = move;
  const [from, to] = [await move.fromPrice.loadOrFail(), await move.toPrice.loadOrFail()];
  const terms = { from, to, timing, prorate, keepNegotiatedPrices };
  let [moved, cursor] = [0, move.cursor ?? null];
  let ids = move.movingId ? [move.movingId] : [];
  for (;;) {
    for (const subscriptionId of ids) {
      const tries = await begin(session, id, { holder, subscriptionId });
      if (!tries) return moved;
      const outcome = await attempt(session, subscriptionId, terms, tries).catch(async (error) => {
        await waits(session, id, { holder, error });
        throw error;
      });
      if (!outcome) {
        await leave(session, id, holder);
        return moved;
      }
      if (!(await keep(session, id, { holder, subscriptionId, ...outcome }))) return moved;
      moved += outcome.moved;
      cursor = subscriptionId;
    }
    ids = await subscribersToMove(afresh(session), terms.from.id, {
      after: cursor,
      limit: pageSize,
    });
    await showProgress(session, id, ids.length === 0);
    if (ids.length === 0) return moved;
  }
}

/**
 * Moves one subscription. Undefined where it waits for the next sweep, since the organization has waited for its tax
 * service long enough in this one. Errors: those for which the move waits.
 */
async function attempt(
  session: Session,
  id: string,
  terms: MoveTerms,
  tries: number,
): Promise<Outcome | undefined> {
  try {
    return await despiteFailures(async () => {
      const hasItem = await adjustItems(session, id, terms);
      const phases = await lockCaughtUp(afresh(session), id, ({ session, subscription }) =>
        movePhases(session, subscription, terms),
      );
      return { moved: hasItem || phases > 0 ? 1 : 0 };
    });
  } catch (error) {
    if (error instanceof TaxServiceFailed && error.concerns === 'turn') return undefined;
    // The same change may succeed later: the move keeps its place.
    if (tries < mostTriesAfter(error)) throw error;
    const isRefusal = error instanceof DomainError;
    if (!isRefusal) report(session, id, error);
    const reason = isRefusal ? refusalReason(error) : 'An internal error, which is in the log';
    return { moved: 0, failure: { subscriptionId: id, reason } };
  }
}

/** How often a subscription is tried in all that fails for a reason; a refusal is final. */
function mostTriesAfter(error: unknown): number {
  if (error instanceof TaxServiceFailed && error.concerns === 'question')
    return mostTries.ofQuestion;
  if (error instanceof DomainError)
    return error.code === 'SERVICE_UNAVAILABLE' ? mostTries.ofService : 1;
  const isElsewhere = error instanceof ProcessorUnreachable || databaseFailure(error) !== undefined;
  return isElsewhere ? mostTries.ofService : mostTries.ofQuestion;
}

/** Adjusts the present items; false where the subscription has neither price. Errors: those of `adjust`. */
async function adjustItems(session: Session, id: string, terms: MoveTerms): Promise<boolean> {
  const signal = AbortSignal.timeout(patienceMilliseconds);
  try {
    await adjust(afresh(session), id, (locked) => adjustmentToPrice(locked, terms), signal);
    return true;
  } catch (error) {
    if (error instanceof NotSubscribed) return false;
    if (error instanceof AlreadyMoved) return true;
    throw error;
  }
}

interface Step {
  readonly holder: string;
  readonly subscriptionId: string;
}

/**
 * Marks the subscription that is moved next. Returns how often it has been tried, with this time; 0 if the move has
 * ended, or another process works on it.
 */
async function begin(session: Session, id: string, { holder, subscriptionId }: Step) {
  const [row] = await afresh(session).em.execute<{ tries: number }[]>(
    `update price_move set moving_tries = case when moving_id = ? then moving_tries else 0 end + 1, moving_id = ?,
       lease_holder = ?, lease_until = clock_timestamp() + interval '5 minutes', retry_at = null, problem = null
     where id = ? and pricing_model_id = ? and status = 'running' and (lease_holder = ? or ${isUnleased})
     returning moving_tries as tries`,
    [subscriptionId, subscriptionId, holder, id, session.pricingModelId, holder],
  );
  return row?.tries ?? 0;
}

/**
 * Has a move wait after an error: until the next sweep for the database, else for 5 minutes. Its object states the
 * reason. Where the database cannot store that, the end of the run frees the move.
 */
async function waits(
  session: Session,
  id: string,
  { holder, error }: { readonly holder: string; readonly error: unknown },
) {
  const isDatabase = databaseFailure(error) !== undefined;
  const problem =
    error instanceof DomainError
      ? refusalReason(error)
      : `${isDatabase ? 'The database has failed' : 'An internal error'}; the log has the reason`;
  const stored = afresh(session).em.execute(
    `update price_move set lease_until = null, retry_at = clock_timestamp() + make_interval(secs => ?), problem = ?
     where id = ? and pricing_model_id = ? and lease_holder = ?`,
    [isDatabase ? 0 : pauseSeconds, problem, id, session.pricingModelId, holder],
  );
  await stored.catch((failure) => report(session, id, failure));
}

/** Leaves a move to the next sweep; the subscription that is its next one was not tried. */
const leave = (session: Session, id: string, holder: string) =>
  afresh(session).em.execute(
    `update price_move set moving_tries = moving_tries - 1, lease_until = null
     where id = ? and pricing_model_id = ? and lease_holder = ?`,
    [id, session.pricingModelId, holder],
  );

/** Counts the outcome of a subscription; false if another process works on the move meanwhile. */
async function keep(
  session: Session,
  id: string,
  { holder, subscriptionId, moved, failure }: Step & Outcome,
) {
  const failed = failure ? [failure] : [];
  const rows = await afresh(session).em.execute<unknown[]>(
    `update price_move set moving_id = null, cursor = ?, moved_count = moved_count + ?, failed_count = failed_count + ?,
       progressed_at = greatest(progressed_at, clock_timestamp()), failures = case when jsonb_array_length(failures) < ${mostFailures} then failures || ?::jsonb else failures end
     where id = ? and pricing_model_id = ? and lease_holder = ? returning id`,
    [
      subscriptionId,
      moved,
      failed.length,
      JSON.stringify(failed),
      id,
      session.pricingModelId,
      holder,
    ],
  );
  return rows.length > 0;
}

/** Emits the numbers of a move, and ends it with its last subscription. */
const showProgress = async (session: Session, id: string, isDone: boolean) =>
  command(await afreshAtPresent(session), async ({ em, now }) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
    const move = await em.findOneOrFail(PriceMove, id, lock);
    // An event follows from a change, so the time is never the same.
    move.progressedAt = new Date(Math.max(now.getTime(), Number(move.progressedAt) + 1));
    // The process that is moving the last one ends it.
    if (isDone && move.movingId == null) move.finish('completed', move.progressedAt);
  });
