import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from '#config';
import { presentOf } from '#domain/kernel/values/present.ts';
import { foundingNotice } from '#server/process/founding-notice.ts';
import type { Terminal } from '../terminal.ts';
import { printable } from '../text-table.ts';
import { openToolDatabase } from '../tool-database.ts';
import type { KeysRequest } from './arguments.ts';
import { createKey, listKeys, revokeKey } from './commands.ts';
import { keysJson, keysTable } from './table.ts';

/** Runs a command of `tollgate keys`, also while a process of the service runs on the same database. */
export async function runKeys(request: KeysRequest, config: Config, terminal: Terminal) {
  // Its currency and seller are those of the organization that the command expects, or founds.
  const created = request.command === 'create' ? request : undefined;
  await using opened = new AsyncDisposableStack();
  const { orm, credential } = await openToolDatabase(opened, config, {
    credential: config.bootstrapSecretKey,
    now: new Date(),
    currency: created?.currency ?? config.bootstrapCurrency,
    seller: created?.seller,
    withoutKey: config.production,
  });
  const { bootstrapSecretKey } = config;
  if (credential && credential !== bootstrapSecretKey) terminal.tell(foundingNotice(credential));
  await execute(orm.em.fork(), request, await presentOf(orm.em), terminal);
}

async function execute(
  em: EntityManager,
  request: KeysRequest,
  now: Date,
  { print, tell }: Terminal,
) {
  if (request.command === 'list') {
    const keys = await listKeys(em);
    print(request.json ? keysJson(keys) : keysTable(keys, now));
  } else if (request.command === 'revoke') {
    const { id, token } = await revokeKey(em, request.id, now);
    tell(`${id} (${token}) is revoked\n`);
  } else {
    const { token, pricingModel } = await createKey(em, request, now);
    const mode = request.live ? 'live' : 'test';
    const shown = `"${printable(pricingModel.name)}" (${pricingModel.id})`;
    tell(`A ${request.type} key of ${mode} mode for the pricing model ${shown}\n`);
    tell('This key is stored as a hash only, so this is the one time it is shown:\n');
    print(`${token}\n`);
  }
}
