import { list } from './engine/route.ts';

const cronRun = /* GraphQL */ `
  fragment CronRun on CronRun { id job startedAt finishedAt outcome error }
`;

export const cronRuns = [list('/cron-runs', 'cronRuns', cronRun)];
