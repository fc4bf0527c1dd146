import type { MikroORM } from '@mikro-orm/postgresql';
import type { Config } from '#config';
import { presentOf } from '#domain/kernel/values/present.ts';
import type { IssuedInvitation } from '#domain/platform/commands/operators/issue-invitation.ts';
import { invitationLink } from '#server/operators/invitation-link.ts';
import type { Terminal } from '../terminal.ts';
import { openToolDatabase } from '../tool-database.ts';
import type { UsersRequest } from './arguments.ts';
import {
  createUser,
  deactivateUser,
  listUsers,
  resetUserPassword,
  resetUserSecondFactor,
} from './commands.ts';
import { usersJson, usersTable } from './table.ts';

/** Runs a command of `tollgate users`, also while a process of the service runs on the same database. */
export async function runUsers(request: UsersRequest, config: Config, terminal: Terminal) {
  await using opened = new AsyncDisposableStack();
  const preparation = { now: new Date(), currency: config.bootstrapCurrency, withoutKey: true };
  const { orm } = await openToolDatabase(opened, config, preparation);
  const origin = config.publicUrl ?? `http://${config.host}:${config.port}`;
  await execute(orm, request, { origin, now: await presentOf(orm.em) }, terminal);
}

interface Execution {
  /** The start of links. */
  readonly origin: string;
  readonly now: Date;
}

async function execute(
  orm: MikroORM,
  request: UsersRequest,
  { origin, now }: Execution,
  terminal: Terminal,
) {
  const { print, tell } = terminal;
  if (request.command === 'list') {
    const users = await listUsers(orm.em.fork(), now);
    print(request.json ? usersJson(users) : usersTable(users));
  } else if (request.command === 'create') {
    printLink(await createUser(orm, request, now), origin, terminal);
  } else if (request.command === 'reset-password') {
    printLink(await resetUserPassword(orm, request.email, now), origin, terminal);
  } else if (request.command === 'reset-second-factor') {
    await resetUserSecondFactor(orm, request.email, now);
    tell(`${request.email} signs in without a second factor now\n`);
  } else {
    await deactivateUser(orm, request.email, now);
    tell(`${request.email} is deactivated\n`);
  }
}

function printLink(
  { operatorInvitation, text }: IssuedInvitation,
  origin: string,
  { print, tell }: Terminal,
) {
  const { email, expiresAt } = operatorInvitation;
  tell(
    `A link for ${email} (${operatorInvitation.role}), valid until ${expiresAt.toISOString()}\n`,
  );
  tell('It is stored as a hash only, so this is the one time it is shown:\n');
  print(`${invitationLink(origin, text)}\n`);
}
