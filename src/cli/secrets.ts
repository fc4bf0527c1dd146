import { type Config, readConfig } from '#config';
import { newSecretsKey } from '#domain/kernel/security/secrets.ts';
import { resealSecrets } from '#server/secrets/stored-secrets.ts';
import type { Program } from '../tools/terminal.ts';
import { openToolDatabase } from '../tools/tool-database.ts';
import { UsageError } from '../tools/user-error.ts';

const usage = `Usage: tollgate secrets <command>

  new
      prints a new key for SECRETS_KEY
  reseal
      encrypts every stored secret with the first key of SECRETS_KEY, also while the service runs;
      afterwards the other keys can be removed
`;

/** `tollgate secrets` makes keys for stored secrets and changes them. */
export const program: Program = {
  usage,
  async run({ args: [command, ...rest], environment, print }) {
    if (command === 'new' && rest.length === 0) print(`${newSecretsKey()}\n`);
    else if (command === 'reseal' && rest.length === 0) {
      const count = await reseal(readConfig(environment));
      print(`${count} secrets encrypted with the first key of SECRETS_KEY\n`);
    } else if (command === '--help') print(usage);
    else throw new UsageError('A command is missing: new or reseal');
    return 0;
  },
};

async function reseal(config: Config) {
  await using opened = new AsyncDisposableStack();
  const { orm } = await openToolDatabase(opened, config, { now: new Date() });
  // Awaited here, since the database closes when this function returns.
  return await resealSecrets(orm.em.fork());
}
