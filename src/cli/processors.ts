import { type Config, readConfig } from '#config';
import { presentOf } from '#domain/kernel/values/present.ts';
import { reachStripe } from '#server/integrations/reach-stripe.ts';
import {
  type ProcessorsArguments,
  parseProcessorsArguments,
  usage,
} from '../tools/processors/arguments.ts';
import {
  accountsJson,
  accountsTable,
  connect,
  disconnect,
  lineOf,
  listAccounts,
} from '../tools/processors/commands.ts';
import type { Program, Terminal } from '../tools/terminal.ts';
import { openToolDatabase } from '../tools/tool-database.ts';

/** `tollgate processors` connects, lists and disconnects accounts of payment processors. */
export const program: Program = {
  usage,
  async run(terminal) {
    const request = parseProcessorsArguments(terminal.args);
    if (request.command === 'help') terminal.print(usage);
    else await execute(request, readConfig(terminal.environment), terminal);
    return 0;
  },
};

/** Executes a command, also while a process of the service runs on the same database. */
async function execute(request: ProcessorsArguments, config: Config, { print, input }: Terminal) {
  await using opened = new AsyncDisposableStack();
  reachStripe(config);
  const preparation = { now: new Date(), withoutKey: true };
  const { orm } = await openToolDatabase(opened, config, preparation);
  const [em, now] = [orm.em.fork(), await presentOf(orm.em)];
  if (request.command === 'list') {
    const accounts = await listAccounts(em);
    print(request.json ? accountsJson(accounts) : accountsTable(accounts));
  }
  if (request.command === 'disconnect') {
    print(`${lineOf(await disconnect(em, request.id, now))}\n`);
  }
  if (request.command === 'connect') {
    const secretKey = request.secretKey ?? (await input()).trim();
    const { webhookSecret, organizationId } = request;
    const { publicUrl } = config;
    const account = await connect(em, { secretKey, webhookSecret, publicUrl, organizationId }, now);
    print(`${lineOf(account)}\n`);
  }
}
