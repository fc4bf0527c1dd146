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
import { type Job, sweepJob } from './job.ts';
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
  sweepJob(
    'transition-billing-periods',
    '* * * * *',
    transitionDueSubscriptions,
    'boundaries crossed',
  ),
  sweepJob('execute-billing-runs', '10 * * * * *', executeDueRuns, 'runs executed'),
  sweepJob(
    'move-subscribers',
    '15 * * * * *',
    moveSubscribers,
    'subscriptions moved to another price',
  ),
  sweepJob(
    'resume-stuck-runs',
    '55 */5 * * * *',
    resumeStuckRuns,
    'runs without a due time made due',
  ),
  sweepJob('check-payments', '20 * * * * *', checkDuePayments, 'payments checked'),
  sweepJob('check-setups', '25 * * * * *', checkSetups, 'set-up pages checked'),
  sweepJob('check-checkouts', '28 * * * * *', checkCheckouts, 'checkout sessions checked'),
  sweepJob(
    'detach-payment-methods',
    '35 * * * * *',
    detachAtProcessors,
    'payment methods detached at processors',
  ),
  sweepJob(
    'deliver-sandbox-notices',
    '45 * * * * *',
    deliverSandboxNotices,
    'notices of the sandbox delivered',
  ),
  sweepJob('follow-up-invoices', '45 * * * * *', followUpInvoices, 'invoices followed up'),
  sweepJob('resume-refunds', '40 * * * * *', resumeRefunds, 'refunds resumed'),
  sweepJob(
    'process-processor-events',
    '1-59/5 * * * * *',
    processNotices,
    'events of processors processed',
  ),
  {
    name: 'reconcile-processors',
    pattern: '15 */10 * * * *',
    run: async ({ em, now, runId, onFailure }) => {
      const { accounts, differences } = await reconcileProcessors(em, now, runId, onFailure);
      return `${accounts} accounts reconciled, ${differences} differences open`;
    },
  },
  // No caller waits for it: expired claims do not count, whether they are marked or not.
  sweepJob('expire-claims', '*/15 * * * * *', expireDueClaims, 'claims and reservations expired'),
  sweepJob('advance-test-clocks', '30 * * * * *', carryOnTestClocks, 'clocks advanced'),
  sweepJob(
    'expire-usage-credits',
    '50 * * * * *',
    expireUsageCredits,
    'subscriptions with expired credits',
  ),
  sweepJob(
    'expire-prepaid-credits',
    '52 * * * * *',
    expirePrepaidCredits,
    'customers with expired prepaid credits',
  ),
  sweepJob('bill-at-amounts', '7-59/10 * * * * *', billDueAmounts, 'running periods billed'),
  {
    name: 'announce-dates',
    pattern: '32 */10 * * * *',
    run: async ({ em, now, runId, onFailure }) => {
      const dates = await announceDueDates(em, now, runId, onFailure);
      const cards = await announceExpiries(em, now, runId, onFailure);
      const credits = await announcePrepaidExpiries(em, now, runId, onFailure);
      return `${dates + cards + credits} dates announced`;
    },
  },
  sweepJob('execute-top-ups', '3-59/10 * * * * *', executeDueTopUps, 'top-ups executed'),
  sweepJob(
    'execute-prepaid-top-ups',
    '8-59/10 * * * * *',
    executeDuePrepaidTopUps,
    'prepaid top-ups executed',
  ),
  // Conditions compute what is due, so no caller waits for it.
  sweepJob('apply-planned-mrr', '5 * * * * *', applyPlannedMrr, 'subscriptions with planned MRR'),
  sweepJob('keep-usage-parts', '25 * * * * *', keepUsageParts, 'hours of usage aggregated'),
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
