import { defineEntity, p } from '@mikro-orm/core';
import { instant, positionColumn } from '#domain/kernel/columns.ts';

/** The code of a run that failed. */
export const jobFailed = 'JOB_FAILED';

const CronRunSchema = defineEntity({
  name: 'CronRun',
  indexes: [{ name: 'cron_run_page', properties: ['createdAt', 'position', 'id'] }],
  properties: {
    /** The job and its due instant: the process that inserts this row first runs it. */
    id: p.string().primary(),
    position: positionColumn(),
    job: p.string(),
    createdAt: instant(),
    finishedAt: instant().nullable(),
    /** The last heartbeat of the process that runs it. */
    aliveAt: instant().nullable(),
    /** The result of the run, in words and numbers of all tenants: for operators. */
    outcome: p.text().nullable(),
    /** `jobFailed` and the reference under which the log has the error. */
    error: p.text().nullable(),
  },
});

/** One run of one job, by one of the processes. */
export class CronRun extends CronRunSchema.class {}
CronRunSchema.setClass(CronRun);
