import { type Config, ConfigError, readConfig } from '#config';
import { newSecretsKey } from '#domain/kernel/secrets.ts';
import { resealSecrets } from '#server/stored-secrets.ts';
import { openToolDatabase } from '#server/tool-database.ts';
import { failTool } from '#server/tool-failure.ts';

const usage = `Usage: npm run secrets -- <command>

  new
      prints a new key for SECRETS_KEY
  reseal
      encrypts every stored secret with the first key of SECRETS_KEY, also while the service runs;
      afterwards the other keys can be removed
`;

try {
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'new' && rest.length === 0) process.stdout.write(`${newSecretsKey()}\n`);
  else if (command === 'reseal' && rest.length === 0) await reseal(readConfig());
  else throw new ConfigError(usage);
} catch (error) {
  failTool(error);
}

async function reseal(config: Config) {
  await using opened = new AsyncDisposableStack();
  const { orm } = await openToolDatabase(opened, config, { now: new Date() });
  const count = await resealSecrets(orm.em.fork());
  process.stdout.write(`${count} secrets encrypted with the first key of SECRETS_KEY\n`);
}
