import { IsolationLevel } from '@mikro-orm/core';
import { BillingRun, oldestDebtFirst } from '#domain/billing-runs/billing-run.ts';
import type { InvoiceLineItem } from '#domain/invoice-line-items/invoice-line-item.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { AnswerNeeded, mostAnswers } from '#domain/kernel/answer-needed.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { mostItems } from '#domain/rules/adjusting/adjust-input.ts';
import { mostPhases } from '#domain/rules/adjusting/phase-input.ts';
import { prepareInvoice } from '#domain/rules/collection/prepare-invoice.ts';
import { settleUsage } from '#domain/rules/inbox/settle-usage.ts';
import { transitionSubscription } from '#domain/rules/lifecycle/transition-subscription.ts';
import { afreshAtPresent } from '#domain/rules/locks/fresh-session.ts';
import { lockSubscription } from '#domain/rules/locks/lock-subscription.ts';
import { Subscription } from './subscription.ts';

/** A trial, and two periods after it: then a subscription that bills at all has an invoice. */
const mostBoundaries = 3;

/** The next invoice of a subscription; no row of it is stored. */
export interface UpcomingInvoice {
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly invoice: Invoice;
  readonly lines: readonly InvoiceLineItem[];
  /** The present of the subscription. */
  readonly asOf: Date;
}

const attempts = 3;

/**
 * The next invoice of a subscription, if nothing changes until then; null where none will follow. The code that bills
 * writes it at its own instant, within a transaction that is rolled back. So it agrees with the invoice that follows.
 * It writes copies of the rows, so that no usage waits for it; only claims that lapse by then are locked. Errors: NOT_FOUND.
 */
export async function upcomingInvoice(
  session: Session,
  subscriptionId: string,
): Promise<UpcomingInvoice | null> {
  const rollback = new Error('The rehearsal of an invoice has ended');
  const { customerId } = await session.em.findOneOrFail(Subscription, subscriptionId);
  await settleUsage(session, [subscriptionId]);
  const present = asJob(await afreshAtPresent(session));
  let answers = 0;
  for (let attempt = 1; ; attempt++) {
    let upcoming: UpcomingInvoice | null = null;
    try {
      // One snapshot: the copies and the usage events that are read with them agree.
      await present.em.transactional(
        async (em) => {
          await em.execute('select rehearse_subscription(?, ?)', [subscriptionId, customerId]);
          upcoming = await rehearsed({ ...present, em }, subscriptionId);
          throw rollback;
        },
        { isolationLevel: IsolationLevel.REPEATABLE_READ },
      );
    } catch (error) {
      if (error === rollback) return upcoming;
      if (error instanceof AnswerNeeded && !present.em.isInTransaction()) {
        if (answers === mostAnswers) throw error.unanswered;
        await error.ask();
        answers += 1;
        attempt -= 1;
        continue;
      }
      if (attempt === attempts || !hasChangedMeanwhile(error)) throw error;
    }
  }
}

/** An event that a line leaves out was changed after the snapshot. */
const hasChangedMeanwhile = (error: unknown) => (error as { code?: string }).code === '40001';

/** A session that sees what billing sees, whichever rows the caller may read. */
function asJob({ em, organizationId, livemode, pricingModelId, now, actor }: Session): Session {
  const tenant = { organizationId, livemode, pricingModelId, keyType: 'secret' } as const;
  return openSession(em, { ...tenant, now, actor, dryRun: true });
}

async function rehearsed(session: Session, id: string): Promise<UpcomingInvoice | null> {
  const { subscription, session: then } = await lockSubscription(session, id);
  const { customerId, doNotCharge, isFreePlan, commitment } = subscription;
  // The difference to a commitment may be the first charge.
  const trials = subscription.itemTrialEndAt ? mostItems : 0;
  const phases = subscription.phaseStartAt ? mostPhases : 0;
  const most = mostBoundaries + trials + phases + (commitment?.term?.periods ?? 0);
  if (doNotCharge) return null;
  const known = await invoiceIds(session, id);
  for (let boundaries = 0; boundaries <= (isFreePlan ? 1 : most); ) {
    const [step, at] = await nextStep(session, id);
    if (!step || !at) return null;
    if (step === 'boundary') boundaries++;
    const due = await moveTo(
      session,
      subscription.testClockId ?? null,
      at > then.now ? at : then.now,
    );
    if (step === 'boundary') await transitionSubscription(due, id);
    else await prepareInvoice(due, step.id);
    const invoice = await newInvoice(session, id, known);
    if (!invoice) continue;
    const lines = await invoice.lineItems.loadItems({ refresh: true });
    return { subscriptionId: id, customerId, invoice, lines, asOf: then.now };
  }
  return null;
}

/** The next boundary or billing run of a subscription, with its instant. At one instant boundaries come first. */
async function nextStep({ em }: Session, id: string) {
  const { transitionDueAt, isTerminal } = await em.findOneOrFail(Subscription, id, {
    refresh: true,
  });
  const boundary = isTerminal ? null : transitionDueAt;
  const scheduled = { subscription: id, status: 'scheduled', purpose: 'period' } as const;
  const runs = await em.find(BillingRun, scheduled, { orderBy: oldestDebtFirst, refresh: true });
  const billed = await em.find(
    Invoice,
    {
      billingPeriod: { $in: runs.map(({ billingPeriodId }) => billingPeriodId) },
      purpose: 'period',
    },
    { fields: ['billingPeriod'], disableIdentityMap: true },
  );
  const known = new Set(billed.map(({ billingPeriod }) => billingPeriod?.id));
  // A retry charges an invoice that exists.
  const run = runs
    .filter(({ billingPeriodId }) => !known.has(billingPeriodId))
    .toSorted((a, b) => a.scheduledFor.getTime() - b.scheduledFor.getTime())[0];
  const runsFirst = run && (!boundary || run.scheduledFor < boundary);
  if (runsFirst) return [run, run.scheduledFor] as const;
  return [boundary && ('boundary' as const), boundary] as const;
}

/** The same transaction at an instant, which the test clock of the customer shows, too, until it is rolled back. */
async function moveTo(session: Session, testClockId: string | null, now: Date): Promise<Session> {
  if (testClockId) {
    await session.em.execute(
      'update test_clock set frozen_time = ?, advancing_to = greatest(?, advancing_to) where id = ? and advancing_to is not null',
      [now, now, testClockId],
    );
    await session.em.execute(
      'update test_clock set frozen_time = ? where id = ? and advancing_to is null',
      [now, testClockId],
    );
  }
  return { ...session, now };
}

async function invoiceIds({ em }: Session, subscription: string): Promise<readonly string[]> {
  const rows = await em.find(
    Invoice,
    { subscription },
    { fields: ['id'], disableIdentityMap: true },
  );
  return rows.map(({ id }) => id);
}

/** The first invoice that a step has written. One that only shows corrections is none to pay. */
async function newInvoice({ em }: Session, subscription: string, known: readonly string[]) {
  await em.flush();
  const [invoice] = await em.find(
    Invoice,
    { subscription, id: { $nin: [...known] }, purpose: { $ne: 'usage_correction' } },
    { orderBy: { createdAt: 'asc', position: 'asc' }, refresh: true, limit: 1 },
  );
  return invoice;
}
