import { CronRun } from '#domain/model/platform/cron-run.ts';
import { cronRunOutcomes, outcomeOf } from '#domain/platform/commands/cron-runs/outcome.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { listField } from '../engine/lists.ts';
import { found, load } from '../engine/load.ts';
import { byText, byTime, custom } from '../engine/where.ts';

builder.objectType(CronRun, {
  name: 'CronRun',
  description: 'One run of a scheduled job. Jobs process all organizations of the installation.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The name of the job and its due time.' }),
    job: t.exposeString('job', { description: 'The name of the job.' }),
    startedAt: t.expose('createdAt', {
      type: 'Timestamp',
      description: 'The time when the run was due and started.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'Timestamp',
      nullable: true,
      description:
        'The time when the run ended. It is null while the run lasts, and permanently when its process was killed.',
    }),
    // Its counts are those of all tenants, so they are for the log.
    outcome: t.string({
      nullable: true,
      description: 'The outcome: `succeeded` or null. The log of the service contains the counts.',
      resolve: ({ outcome }) => (outcome == null ? null : 'succeeded'),
    }),
    error: t.exposeString('error', {
      nullable: true,
      description:
        'The code `JOB_FAILED` and the reference of the error in the log; null without a failure.',
    }),
  }),
});

const CronRunOutcome = builder.enumType('CronRunOutcome', {
  description: 'The outcome of a run.',
  values: described(cronRunOutcomes, {
    succeeded: 'The run ended without a failure.',
    failed: 'The run ended with a failure.',
    unfinished: 'The run has no end, or its process was killed.',
  }),
});

listField({
  many: 'cronRuns',
  name: 'CronRun',
  noun: 'run',
  entity: CronRun,
  description: 'The runs of the scheduled jobs in the last 7 days, oldest first.',
  where: {
    job: byText('job', 'The name of the job.'),
    outcome: custom.oneOf(CronRunOutcome, 'The outcome.', outcomeOf),
    finishedAt: byTime('finishedAt', 'The time when the run ended.'),
  },
});

builder.queryField('cronRun', (t) =>
  t.field({
    type: CronRun,
    description: 'One run of a scheduled job in the last 7 days. Errors: NOT_FOUND.',
    args: {
      id: t.arg.id({ required: true, description: 'The name of the job and its due time.' }),
    },
    resolve: async (_root, { id }, session) => found(await load(session, CronRun, id), `Run ${id}`),
  }),
);
