import { expireDueClaims } from '#domain/capacity/commands/resource-claims/expire-due-claims.ts';
import { followUpInvoices } from '#domain/invoicing/commands/invoices/follow-up-invoices.ts';
import { checkBalances } from '#domain/metering/commands/usage-balances/check-balances.ts';
import { keepUsageParts } from '#domain/metering/commands/usage-balances/keep-usage-parts.ts';
import { expireUsageCredits } from '#domain/metering/commands/usage-credits/expire-usage-credits.ts';
import { executeDueRuns } from '#domain/money/collection/execute-due-runs.ts';
import { resumeStuckRuns } from '#domain/money/commands/billing-runs/resume-stuck-runs.ts';
import { checkBooks } from '#domain/money/commands/books/check-books.ts';
import { checkCheckouts } from '#domain/money/commands/checkout-sessions/due-checkouts.ts';
import { announceExpiries } from '#domain/money/commands/payment-methods/announce-expiries.ts';
import { checkSetups } from '#domain/money/commands/payment-methods/check-setups.ts';
import { detachAtProcessors } from '#domain/money/commands/payment-methods/detach-at-processors.ts';
import { checkDuePayments } from '#domain/money/commands/payments/check-payments.ts';
import { deliverSandboxNotices } from '#domain/money/commands/payments/deliver-sandbox-notices.ts';
import { resumeRefunds } from '#domain/money/commands/payments/resume-refunds.ts';
import {
  announcePrepaidExpiries,
  expirePrepaidCredits,
} from '#domain/money/commands/prepaid-credits/expire-prepaid-credits.ts';
import { executeDuePrepaidTopUps } from '#domain/money/commands/prepaid-top-ups/execute-due-prepaid-top-ups.ts';
import { processNotices } from '#domain/money/commands/processors/process-notices.ts';
import { reconcileProcessors } from '#domain/money/commands/processors/reconcile-processors.ts';
import { executeDueTopUps } from '#domain/money/commands/top-ups/execute-due-top-ups.ts';
import { carryOnTestClocks } from '#domain/platform/commands/test-clocks/carry-on-test-clocks.ts';
import {
  addUsageEventMonths,
  detachUsageEventMonths,
} from '#domain/recording/commands/usage-events/usage-event-months.ts';
import { drainInbox } from '#domain/recording/inbox/drain-inbox.ts';
import { moveSubscribers } from '#domain/subscriptions/commands/subscription-adjustments/move-subscribers.ts';
import { announceDueDates } from '#domain/subscriptions/commands/subscriptions/announce-due-dates.ts';
import { billDueAmounts } from '#domain/subscriptions/commands/subscriptions/bill-due-amounts.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';
import { applyPlannedMrr } from '#domain/subscriptions/commands/subscriptions/present-mrr.ts';
import { alertJobs } from './alert-jobs.ts';
import { before } from './days-before.ts';
import type { Job } from './job.ts';
import { purgeJobs } from './purge-jobs.ts';

/** Every scheduled job. */
export const jobs: readonly Job[] = [
  // Deliveries of a committed change start immediately; this job finds those without a wake-up.
  {
    name: 'deliver-webhooks',
    pattern: '*/5 * * * * *',
    run: async ({ now, deliverer }) => `${await deliverer.sweep(now, 'first')} deliveries started`,
  },
  {
    name: 'retry-webhooks',
    pattern: '2-59/5 * * * * *',
    run: async ({ now, deliverer }) =>
      `${await deliverer.sweep(now, 'retry')} deliveries started again`,
  },
  {
    name: 'send-mails',
    pattern: '4-59/5 * * * * *',
    run: async ({ now, mailer }) => `${await mailer.sweep(now)} mails worked on`,
  },
  // Reads and changes count the usage that they need themselves; this job counts the rest.
  {
    name: 'count-usage',
    pattern: '*/2 * * * * *',
    run: async ({ em, now, onFailure }) =>
      `${await drainInbox(em, now, onFailure)} accepted events counted`,
  },
  {
    name: 'transition-billing-periods',
    pattern: '* * * * *',
    run: async ({ em, now, runId }) =>
      `${await transitionDueSubscriptions(em, now, runId)} boundaries crossed`,
  },
  {
    name: 'execute-billing-runs',
    pattern: '10 * * * * *',
    run: async ({ em, now, runId, onFailure }) =>
      `${await executeDueRuns(em, now, runId, onFailure)} runs executed`,
  },
  {
    name: 'move-subscribers',
    pattern: '15 * * * * *',
    run: async ({ em, now, runId, onFailure }) =>
      `${await moveSubscribers(em, now, runId, onFailure)} subscriptions moved to another price`,
  },
  {
    name: 'resume-stuck-runs',
    pattern: '55 */5 * * * *',
    run: async ({ em, now, runId, onFailure }) =>
      `${await resumeStuckRuns(em, now, runId, onFailure)} runs without a due time made due`,
  },
  {
    name: 'check-payments',
    pattern: '20 * * * * *',
    run: async ({ em, now, runId, onFailure }) =>
      `${await checkDuePayments(em, now, runId, onFailure)} payments checked`,
  },
  {
    name: 'check-setups',
    pattern: '25 * * * * *',
    run: async ({ em, now, runId, onFailure }) =>
      `${await checkSetups(em, now, runId, onFailure)} set-up pages checked`,
  },
  {
    name: 'check-checkouts',
    pattern: '28 * * * * *',
    run: async ({ em, now, runId, onFailure }) =>
      `${await checkCheckouts(em, now, runId, onFailure)} checkout sessions checked`,
  },
  {
    name: 'detach-payment-methods',
    pattern: '35 * * * * *',
    run: async ({ em, now, runId, onFailure }) =>
      `${await detachAtProcessors(em, now, runId, onFailure)} payment methods detached at processors`,
  },
  {
    name: 'deliver-sandbox-notices',
    pattern: '45 * * * * *',
    run: async ({ em, now, runId, onFailure }) =>
      `${await deliverSandboxNotices(em, now, runId, onFailure)} notices of the sandbox delivered`,
  },
  {
    name: 'follow-up-invoices',
    pattern: '45 * * * * *',
    run: async ({ em, now, runId, onFailure }) =>
      `${await followUpInvoices(em, now, runId, onFailure)} invoices followed up`,
  },
  {
    name: 'resume-refunds',
    pattern: '40 * * * * *',
    run: async ({ em, now, runId, onFailure }) =>
      `${await resumeRefunds(em, now, runId, onFailure)} refunds resumed`,
  },
  {
    name: 'process-processor-events',
    pattern: '1-59/5 * * * * *',
    run: async ({ em, now, runId, onFailure }) =>
      `${await processNotices(em, now, runId, onFailure)} events of processors processed`,
  },
  {
    name: 'reconcile-processors',
    pattern: '15 */10 * * * *',
    run: async ({ em, now, runId, onFailure }) => {
      const { accounts, differences } = await reconcileProcessors(em, now, runId, onFailure);
      return `${accounts} accounts reconciled, ${differences} differences open`;
    },
  },
  // No caller waits for it: expired claims do not count, whether they are marked or not.
  {
    name: 'expire-claims',
    pattern: '*/15 * * * * *',
    run: async ({ em, now, runId }) =>
      `${await expireDueClaims(em, now, runId)} claims and reservations expired`,
  },
  {
    name: 'advance-test-clocks',
    pattern: '30 * * * * *',
    run: async ({ em, now, runId }) => `${await carryOnTestClocks(em, now, runId)} clocks advanced`,
  },
  {
    name: 'expire-usage-credits',
    pattern: '50 * * * * *',
    run: async ({ em, now, runId }) =>
      `${await expireUsageCredits(em, now, runId)} subscriptions with expired credits`,
  },
  {
    name: 'expire-prepaid-credits',
    pattern: '52 * * * * *',
    run: async ({ em, now, runId, onFailure }) =>
      `${await expirePrepaidCredits({ em, now, causeId: runId, onFailure })} customers with expired prepaid credits`,
  },
  {
    name: 'bill-at-amounts',
    pattern: '7-59/10 * * * * *',
    run: async ({ em, now, runId, onFailure }) =>
      `${await billDueAmounts(em, now, runId, onFailure)} running periods billed`,
  },
  {
    name: 'announce-dates',
    pattern: '32 */10 * * * *',
    run: async ({ em, now, runId, onFailure }) => {
      const dates = await announceDueDates(em, now, runId, onFailure);
      const cards = await announceExpiries(em, now, runId, onFailure);
      const credits = await announcePrepaidExpiries({ em, now, causeId: runId, onFailure });
      return `${dates + cards + credits} dates announced`;
    },
  },
  {
    name: 'execute-top-ups',
    pattern: '3-59/10 * * * * *',
    run: async ({ em, now, runId, onFailure }) =>
      `${await executeDueTopUps(em, now, runId, onFailure)} top-ups executed`,
  },
  {
    name: 'execute-prepaid-top-ups',
    pattern: '8-59/10 * * * * *',
    run: async ({ em, now, runId, onFailure }) =>
      `${await executeDuePrepaidTopUps({ em, now, causeId: runId, onFailure })} prepaid top-ups executed`,
  },
  // Conditions compute what is due, so no caller waits for it.
  {
    name: 'apply-planned-mrr',
    pattern: '5 * * * * *',
    run: async ({ em, now }) => `${await applyPlannedMrr(em, now)} subscriptions with planned MRR`,
  },
  {
    name: 'keep-usage-parts',
    pattern: '25 * * * * *',
    run: async ({ em, now }) => `${await keepUsageParts(em, now)} hours of usage aggregated`,
  },
  {
    name: 'add-usage-event-months',
    pattern: '27 2 * * *',
    run: async ({ em, now, usageEventMonths: months, history, onFailure }) => {
      const added = await addUsageEventMonths(em, now);
      if (months === 0) return `${added} months added`;
      const gone = history
        ? await history.archiveMonths(em, now, months, onFailure)
        : await detachUsageEventMonths(em, now, months);
      const verb = history ? 'archived' : 'detached';
      return `${added} months added, ${gone.length} ${verb}${gone.map((name) => ` ${name}`).join('')}`;
    },
  },
  {
    name: 'check-usage-history',
    pattern: '17 5 * * *',
    run: async ({ em, now, history, onFailure }) => {
      const { files, damaged } = (await history?.check(em, now, onFailure)) ?? {
        files: 0,
        damaged: 0,
      };
      return `${files} files checked, ${damaged} damaged`;
    },
  },
  {
    name: 'check-usage-balances',
    pattern: '47 2 * * *',
    run: async ({ em, now }) => `${await checkBalances(em, before(now, 2))} balances agree`,
  },
  {
    name: 'check-books',
    pattern: '17 4 * * *',
    run: async ({ em, now, runId, onFailure }) => {
      const { customers, differences } = await checkBooks(em, now, runId, onFailure);
      return `${customers} customers checked, ${differences} with a difference`;
    },
  },
  ...alertJobs,
  ...purgeJobs,
];
