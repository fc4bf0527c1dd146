import { fragment } from '../engine/fragment.ts';
import { list } from '../engine/route.ts';

const cronRun = fragment(/* GraphQL */ `
  fragment CronRun on CronRun { id job startedAt finishedAt outcome error }
`);

export const cronRuns = [list('/cron-runs', 'cronRuns', cronRun)];
