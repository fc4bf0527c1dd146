import { isServed } from '#domain/kernel/absent-organizations.ts';
import { purgeMails } from '#domain/mail/commands/mails/purge-mails.ts';
import { purgeCheckouts } from '#domain/money/commands/checkout-sessions/purge-checkouts.ts';
import { purgeCustomerTokens } from '#domain/platform/commands/api-keys/purge-customer-tokens.ts';
import { purgeEvents } from '#domain/platform/commands/events/purge-events.ts';
import { purgeIdempotencyKeys } from '#domain/platform/commands/idempotency/purge-idempotency-keys.ts';
import {
  purgeOperatorSessions,
  purgeSignInAttempts,
} from '#domain/platform/commands/operators/purge-operator-sessions.ts';
import { forgetPreviousSecrets } from '#domain/platform/commands/webhooks/forget-previous-secrets.ts';
import { before } from './days-before.ts';
import type { Job } from './job.ts';

/** The jobs that delete data which is kept for a time only. */
export const purgeJobs: readonly Job[] = [
  {
    name: 'purge-events',
    pattern: '7 3 * * *',
    run: async ({ em, now, eventDays, auditDays }) => {
      const feedFrom = before(now, eventDays);
      const auditFrom = before(now, Math.max(eventDays, auditDays));
      return `${await purgeEvents(em, { feedFrom, auditFrom })} events deleted`;
    },
  },
  {
    name: 'purge-processor-events',
    pattern: '27 3 * * *',
    run: async ({ em, now, processorEventDays }) => {
      const gone = await em.execute(
        `delete from processor_event where status <> 'pending' and received_at < ? and ${isServed()} returning id`,
        [before(now, processorEventDays)],
      );
      return `${gone.length} events of processors deleted`;
    },
  },
  {
    name: 'purge-idempotency-keys',
    pattern: '17 * * * *',
    run: async ({ em, now }) => `${await purgeIdempotencyKeys(em, before(now, 1))} answers deleted`,
  },
  {
    name: 'purge-mails',
    pattern: '32 3 * * *',
    run: async ({ em, now, mailDays }) =>
      `${await purgeMails(em, before(now, mailDays))} mails deleted`,
  },
  {
    name: 'purge-customer-tokens',
    pattern: '47 * * * *',
    run: async ({ em, now }) => `${await purgeCustomerTokens(em, before(now, 1))} tokens deleted`,
  },
  {
    name: 'purge-operator-sessions',
    pattern: '57 3 * * *',
    run: async ({ em, now, sessionDays }) =>
      `${await purgeOperatorSessions(em, before(now, sessionDays))} sessions and invitations deleted`,
  },
  {
    name: 'purge-sign-in-attempts',
    pattern: '7 * * * *',
    run: async ({ em, now }) => `${await purgeSignInAttempts(em, now)} failures deleted`,
  },
  {
    name: 'purge-checkout-sessions',
    pattern: '37 * * * *',
    run: async ({ em, now, checkoutDays }) =>
      `${await purgeCheckouts(em, before(now, checkoutDays))} checkout sessions deleted`,
  },
  {
    name: 'forget-webhook-secrets',
    pattern: '*/10 * * * *',
    run: async ({ em, now }) => `${await forgetPreviousSecrets(em, now)} secrets deleted`,
  },
  {
    name: 'purge-cron-runs',
    pattern: '37 3 * * *',
    run: async ({ em, now, cronRunDays }) => {
      // Runs without work are of no interest for long, and there are many.
      const gone = await em.execute(
        `delete from cron_run where created_at < ? or (created_at < ? and outcome like '0 %') returning id`,
        [before(now, cronRunDays), before(now, 1)],
      );
      return `${gone.length} runs deleted`;
    },
  },
];
