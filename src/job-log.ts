import { JobFailure } from '#cron/run-job.ts';
import type { JobLog } from '#cron/scheduler.ts';
import { logged } from '#domain/kernel/database-failure.ts';
import type { Logger } from '#server/observability/logger.ts';

/** Writes what the jobs do to the log. A run that found nothing to do is a line at level debug. */
export const jobLog = (logger: Logger): JobLog => ({
  done(job, outcome) {
    const level = /^0 (?!.*[1-9])/.test(outcome) ? 'debug' : 'info';
    logger[level]({ job, outcome }, 'A job has ended');
  },
  failed(job, error) {
    const { reference, cause } =
      error instanceof JobFailure ? error : { reference: undefined, cause: error };
    logger.error({ job, ...(reference && { reference }), ...logged(cause) }, 'A job has failed');
  },
  itemFailed(job, error, item) {
    logger.error({ job, ...item, ...logged(error) }, 'A job has failed with one item');
  },
});
