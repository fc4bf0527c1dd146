import { consolidate } from '#domain/invoicing/billing/consolidate.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { BillingRun } from '#domain/model/money/billing-run.ts';
import { type Prepared, prepareLocked } from '#domain/money/outcomes/prepare-invoice.ts';
import { type LockedRun, lockRun } from '#domain/platform/locks/lock-run.ts';
import { asWorkOf } from './failing-run.ts';
import { earlierOf, firstRuns, runsTogether } from './runs-together.ts';

/** Writes the invoice of a scheduled run, with its document where it is consolidated, without collecting it. */
export function prepareDocument(session: Session, runId: string): Promise<void> {
  return command(session, async (session) => {
    const locked = await lockRun(session, runId);
    if (locked.run.status !== 'scheduled') return;
    const prepared = await prepareTogether(locked);
    await prepared?.bill();
  });
}

/**
 * Writes the invoice of a locked, scheduled run as `prepareLocked` does. Where invoices are consolidated, the transaction
 * writes those of all first runs of the customer with its instant and its terms. So no document is written in parts.
 * While one of them fails, the others wait for it, for an hour at most. An error is noted as that of the failing run.
 */
export async function prepareTogether(locked: LockedRun): Promise<Prepared | null> {
  const { run, consolidates } = locked;
  if (!consolidates || run.attemptNumber > 1) return prepareLocked(locked);
  const work = { locked, firsts: await firstRuns(locked), prepared: new Map() };
  const until = await prepareAll(work, run);
  if (until) run.dueAt = until;
  const own = work.prepared.get(run);
  return own ? { ...own, bill: async () => {} } : null;
}

interface Work {
  readonly locked: LockedRun;
  readonly firsts: readonly BillingRun[];
  readonly prepared: Map<BillingRun, Prepared>;
}

/**
 * Writes the invoices of the runs that share a document, after those for earlier instants of their subscriptions, with
 * the documents of these. Returns the instant until which it waits for a run that fails; then it has written none of its
 * own document.
 */
async function prepareAll(work: Work, first: BillingRun): Promise<Date | null> {
  const { locked, firsts, prepared } = work;
  const { session, customer } = locked;
  const together = await runsTogether(locked, firsts, first);
  for (const run of together) {
    const until = waitFor(work, run);
    if (until) return until;
    for (const earlier of earlierOf(firsts, run)) {
      const until = earlier.status === 'scheduled' ? await prepareAll(work, earlier) : null;
      if (until) return until;
    }
  }
  const isAlone = together.length === 1;
  const document = isAlone ? undefined : consolidate(session, customer, first.scheduledFor);
  for (const run of together) {
    const subscription = await run.subscription.loadOrFail();
    await asWorkOf(run.id, async () => {
      const own = await prepareLocked({ ...locked, run, subscription }, document);
      await own?.bill();
      if (own) prepared.set(run, own);
    });
  }
  return null;
}

/** The instant at which a run that fails is tried again. A run that fails itself waits for no other one. */
function waitFor({ locked: { run: executed, session } }: Work, run: BillingRun): Date | null {
  if (executed.failsSince || !run.failsSince || !run.dueAt) return null;
  return run.dueAt > session.now ? run.dueAt : null;
}
