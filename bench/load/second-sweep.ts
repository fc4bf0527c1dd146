import { secretsKeyFrom, useSecretsKeys } from '#domain/kernel/security/secrets.ts';
import { executeDueRuns } from '#domain/money/collection/execute-due-runs.ts';
import { connect } from '#server/database/database.ts';

/** A second process that executes due runs when it is asked, and answers how many it has executed. */
const [databaseUrl = '', secretsKey = ''] = process.argv.slice(2);
const key = secretsKeyFrom(secretsKey);
if (key) useSecretsKeys([key]);
const orm = await connect({ databaseUrl, poolSize: 20 });
const failed = (error: unknown) => {
  throw error;
};

process.on('message', async () => {
  process.send?.(await executeDueRuns(orm.em, new Date(), 'bench', failed));
});
process.on('disconnect', () => process.exit());
