import { text } from 'node:stream/consumers';
import { type Config, ConfigError, readConfig } from '#config';
import { DomainError } from '#domain/kernel/errors.ts';
import { presentOf } from '#domain/kernel/present.ts';
import { DataDirError } from '#server/embedded-postgres.ts';
import { UsageError } from '#server/keys-arguments.ts';
import {
  type ProcessorsArguments,
  parseProcessorsArguments,
  usage,
} from '#server/processors-arguments.ts';
import { accountsTable, connect, disconnect, lineOf } from '#server/processors-commands.ts';
import { reachStripe } from '#server/reach-stripe.ts';
import { openToolDatabase } from '#server/tool-database.ts';

try {
  const request = parseProcessorsArguments(process.argv.slice(2));
  if (request.command === 'help') process.stdout.write(usage);
  else await run(request, readConfig());
} catch (error) {
  fail(error);
}
// Open connections to the processor would delay the end.
process.exit();

/** Executes a command, also while a process of the service runs on the same database. */
async function run(request: ProcessorsArguments, config: Config) {
  await using opened = new AsyncDisposableStack();
  reachStripe(config);
  const preparation = { now: new Date(), withoutKey: true };
  const { orm } = await openToolDatabase(opened, config, preparation);
  const [em, now] = [orm.em.fork(), await presentOf(orm.em)];
  if (request.command === 'list') process.stdout.write(await accountsTable(em));
  if (request.command === 'disconnect') {
    process.stdout.write(`${lineOf(await disconnect(em, request.id, now))}\n`);
  }
  if (request.command === 'connect') {
    const secretKey = request.secretKey ?? (await text(process.stdin)).trim();
    const { webhookSecret, organizationId } = request;
    const { publicUrl } = config;
    const account = await connect(em, { secretKey, webhookSecret, publicUrl, organizationId }, now);
    process.stdout.write(`${lineOf(account)}\n`);
  }
}

function fail(error: unknown) {
  process.exitCode = 1;
  if (error instanceof UsageError) return tell(`${error.message}\n\n${usage}`);
  const expected = [ConfigError, DataDirError, DomainError].some((type) => error instanceof type);
  tell(`${expected ? explain(error as Error) : ((error as Error).stack ?? error)}\n`);
}

function explain(error: Error) {
  const issues = error instanceof DomainError ? error.issues : [];
  const details = issues.flatMap(({ path, message }) =>
    path.length > 0 ? `${path.join('.')} ${message}` : [],
  );
  return [error.message, ...details].join(': ');
}

function tell(line: string) {
  process.stderr.write(line);
}
