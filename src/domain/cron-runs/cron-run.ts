import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../columns.ts';

const CronRunSchema = defineEntity({
  name: 'CronRun',
  indexes: [{ name: 'cron_run_page', properties: ['createdAt', 'id'] }],
  properties: {
    /** The job and the instant it was due: whoever writes this row first is the one to run it. */
    id: p.string().primary(),
    job: p.string(),
    createdAt: instant(),
    finishedAt: instant().nullable(),
    /** When the process that runs it was last known to live. */
    aliveAt: instant().nullable(),
    /** What the run did, in words and numbers. */
    outcome: p.text().nullable(),
    error: p.text().nullable(),
  },
});

/** One run of one job, by one of the processes. */
export class CronRun extends CronRunSchema.class {}
CronRunSchema.setClass(CronRun);
