import { CronRun } from '#domain/cron-runs/cron-run.ts';
import { page } from '#domain/kernel/page.ts';
import { builder } from './engine/builder.ts';
import { ListOrder } from './engine/connection.ts';

builder.objectType(CronRun, {
  name: 'CronRun',
  description:
    'One run of a scheduled job, which works for every organization of this installation.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The job and the instant it was due.' }),
    job: t.exposeString('job', { description: 'The name of the job.' }),
    startedAt: t.expose('createdAt', {
      type: 'Timestamp',
      description: 'When it was due and started.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it ended; null while it runs, and for ever when its process was killed.',
    }),
    // Its counts are those of all tenants, so they are for the log.
    outcome: t.string({
      nullable: true,
      description: '`succeeded`, or null; the log of the service says how much was done.',
      resolve: ({ outcome }) => (outcome == null ? null : 'succeeded'),
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: '`JOB_FAILED` and the reference of the error in the log; null unless it failed.',
    }),
  }),
});

const CronRunFilter = builder.inputType('CronRunFilter', {
  description: 'Which runs to list.',
  fields: (t) => ({ job: t.string({ description: 'Of the job with this name.' }) }),
});

builder.queryField('cronRuns', (t) =>
  t.connection(
    {
      type: CronRun,
      description: 'What the scheduled jobs have done in the last 7 days, oldest first.',
      args: {
        filter: t.arg({ type: CronRunFilter, description: 'Only rows that equal all of these.' }),
        orderBy: t.arg({ type: ListOrder, description: 'created_at_asc when absent.' }),
      },
      resolve: (_root, args, session) => page(session, CronRun, args) as never,
    },
    { name: 'CronRunConnection', description: 'A page of runs.' },
    { name: 'CronRunEdge', description: 'A run and its place in the list.' },
  ),
);
