import { defineEntity, p } from '@mikro-orm/core';
import { instant, positionColumn } from '../columns.ts';

const CronRunSchema = defineEntity({
  name: 'CronRun',
  indexes: [{ name: 'cron_run_page', properties: ['createdAt', 'position', 'id'] }],
  properties: {
    /** The job and the instant it was due: whoever writes this row first is the one to run it. */
    id: p.string().primary(),
    position: positionColumn(),
    job: p.string(),
    createdAt: instant(),
    finishedAt: instant().nullable(),
    /** What the run did, in words and numbers. */
    outcome: p.text().nullable(),
    error: p.text().nullable(),
  },
});

/** One run of one job, by one of the processes. */
export class CronRun extends CronRunSchema.class {}
CronRunSchema.setClass(CronRun);
