import { applyAlertRules } from '#domain/metering/commands/alert-rules/apply-alert-rules.ts';
import { compareDueAlerts } from '#domain/metering/commands/alerts/compare-due-alerts.ts';
import { type Job, sweepJob } from './job.ts';

/** The jobs that compare alerts, and that give customers those of rules. */
export const alertJobs: readonly Job[] = [
  sweepJob('compare-alerts', '15 * * * * *', compareDueAlerts, 'alerts compared'),
  sweepJob(
    'apply-alert-rules',
    '5-59/10 * * * * *',
    applyAlertRules,
    'customers given the alerts of rules',
  ),
];
