import { text } from 'node:stream/consumers';
import { type Config, readConfig } from '#config';
import { presentOf } from '#domain/kernel/present.ts';
import {
  type ProcessorsArguments,
  parseProcessorsArguments,
  usage,
} from '#server/processors-arguments.ts';
import { accountsTable, connect, disconnect, lineOf } from '#server/processors-commands.ts';
import { reachStripe } from '#server/reach-stripe.ts';
import { openToolDatabase } from '#server/tool-database.ts';
import { failTool } from '#server/tool-failure.ts';

try {
  const request = parseProcessorsArguments(process.argv.slice(2));
  if (request.command === 'help') process.stdout.write(usage);
  else await run(request, readConfig());
} catch (error) {
  failTool(error, usage);
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
