import { applyAlertRules } from '#domain/metering/commands/alert-rules/apply-alert-rules.ts';
import { compareDueAlerts } from '#domain/metering/commands/alerts/compare-due-alerts.ts';
import type { Job } from './job.ts';

/** The jobs that compare alerts, and that give customers those of rules. */
export const alertJobs: readonly Job[] = [
  {
    name: 'compare-alerts',
    pattern: '15 * * * * *',
    run: async ({ em, now, runId, onFailure }) =>
      `${await compareDueAlerts(em, now, runId, onFailure)} alerts compared`,
  },
  {
    name: 'apply-alert-rules',
    pattern: '5-59/10 * * * * *',
    run: async ({ em, now, runId, onFailure }) =>
      `${await applyAlertRules(em, now, runId, onFailure)} customers given the alerts of rules`,
  },
];
