import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '#server/database/database.ts';
import { archiveUsageEventMonths } from '#server/history/archive-months.ts';

/** A process that moves old months to files, prints each step, and waits at one of them to be killed. */
// biome-ignore lint/style/noProcessEnv: the settings of this process
const { DATABASE_URL = '', HISTORY_DIR = '', WAIT_AT = '' } = process.env;

const orm = await connect({ databaseUrl: DATABASE_URL, poolSize: 2 });
const gone = await archiveUsageEventMonths(orm.em.fork(), new Date(), 1, {
  folder: HISTORY_DIR,
  onFailure: (error) => void process.stdout.write(`failed ${(error as Error).message}\n`),
  async onStep(step) {
    process.stdout.write(`at ${step}\n`);
    if (step === WAIT_AT) await sleep(600_000);
  },
});
process.stdout.write(`gone ${gone.join()}\n`);
await orm.close(true);
