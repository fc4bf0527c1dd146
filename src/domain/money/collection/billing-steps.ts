import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun, oldestDebtFirst } from '#domain/model/money/billing-run.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';

/** A boundary of a subscription, or a run, that is due at an instant. */
export type BillingStep =
  | { readonly at: Date; readonly boundaryOf: string }
  | { readonly at: Date; readonly run: BillingRun };

/**
 * The next boundary or first billing run of some subscriptions of a customer. At one instant boundaries come first, and
 * the runs follow in the order of their debts, as on a test clock. `delayed` has the instants of runs that wait.
 */
export async function nextBillingStep(
  { em }: Session,
  subscriptionIds: readonly string[],
  delayed: ReadonlyMap<string, Date> = new Map(),
): Promise<BillingStep | null> {
  const subscriptions = await em.find(
    Subscription,
    { id: { $in: [...subscriptionIds] } },
    {
      orderBy: { createdAt: 'asc', isFreePlan: 'desc', position: 'asc', id: 'asc' },
      refresh: true,
    },
  );
  const boundaries = subscriptions.flatMap(({ id, isTerminal, transitionDueAt: at }) =>
    at && !isTerminal ? { at, boundaryOf: id } : [],
  );
  const scheduled = { status: 'scheduled', purpose: 'period' } as const;
  const runs = await em.find(
    BillingRun,
    { subscription: { $in: [...subscriptionIds] }, ...scheduled },
    { orderBy: oldestDebtFirst, refresh: true },
  );
  const billed = await billedPeriods(em, runs);
  const due = runs
    // A retry charges an invoice that exists.
    .filter(({ billingPeriodId }) => !billed.has(billingPeriodId))
    .map((run) => ({ at: delayed.get(run.id) ?? run.scheduledFor, run }));
  const [next] = [...boundaries, ...due].toSorted((a, b) => a.at.getTime() - b.at.getTime());
  return next ?? null;
}

async function billedPeriods(em: Session['em'], runs: readonly BillingRun[]) {
  const periods = runs.map(({ billingPeriodId }) => billingPeriodId);
  const invoices = await em.find(
    Invoice,
    { billingPeriod: { $in: periods }, purpose: 'period' },
    { fields: ['billingPeriod'], disableIdentityMap: true },
  );
  return new Set(invoices.map(({ billingPeriod }) => billingPeriod?.id));
}

/**
 * The same transaction at the instant of a step that is not past. The test clock of the customer shows it, too, until the
 * transaction is rolled back.
 */
export async function atStep(
  session: Session,
  testClockId: string | null,
  { at }: BillingStep,
): Promise<Session> {
  const now = at > session.now ? at : session.now;
  if (testClockId) {
    await session.em.execute(
      'update test_clock set frozen_time = ?, advancing_to = greatest(?, advancing_to) where id = ? and pricing_model_id = ? and advancing_to is not null',
      [now, now, testClockId, session.pricingModelId],
    );
    await session.em.execute(
      'update test_clock set frozen_time = ? where id = ? and pricing_model_id = ? and advancing_to is null',
      [now, testClockId, session.pricingModelId],
    );
  }
  return { ...session, now };
}
