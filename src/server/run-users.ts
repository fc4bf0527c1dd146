import type { MikroORM } from '@mikro-orm/postgresql';
import type { Config } from '#config';
import { presentOf } from '#domain/kernel/present.ts';
import type { IssuedInvitation } from '#domain/operators/issue-invitation.ts';
import { invitationLink } from './operators/invitation-link.ts';
import { openToolDatabase } from './tool-database.ts';
import type { UsersRequest } from './users-arguments.ts';
import {
  createUser,
  deactivateUser,
  listUsers,
  resetUserPassword,
  resetUserSecondFactor,
} from './users-commands.ts';
import { usersTable } from './users-table.ts';

/** Runs a command of `npm run users`, also while a process of the service runs on the same database. */
export async function runUsers(request: UsersRequest, config: Config) {
  await using opened = new AsyncDisposableStack();
  const preparation = { now: new Date(), currency: config.bootstrapCurrency, withoutKey: true };
  const { orm } = await openToolDatabase(opened, config, preparation);
  const origin = config.publicUrl ?? `http://${config.host}:${config.port}`;
  await execute(orm, request, { origin, now: await presentOf(orm.em) });
}

interface Execution {
  /** The start of links. */
  readonly origin: string;
  readonly now: Date;
}

/** Standard output gets what was asked for and nothing else, so that it can be captured. */
async function execute(orm: MikroORM, request: UsersRequest, { origin, now }: Execution) {
  if (request.command === 'list') {
    process.stdout.write(usersTable(await listUsers(orm.em.fork(), now)));
  } else if (request.command === 'create') {
    print(await createUser(orm, request, now), origin);
  } else if (request.command === 'reset-password') {
    print(await resetUserPassword(orm, request.email, now), origin);
  } else if (request.command === 'reset-second-factor') {
    await resetUserSecondFactor(orm, request.email, now);
    tell(`${request.email} signs in without a second factor now\n`);
  } else {
    await deactivateUser(orm, request.email, now);
    tell(`${request.email} is deactivated\n`);
  }
}

function print({ operatorInvitation, text }: IssuedInvitation, origin: string) {
  const { email, expiresAt } = operatorInvitation;
  tell(
    `A link for ${email} (${operatorInvitation.role}), valid until ${expiresAt.toISOString()}\n`,
  );
  tell('It is stored as a hash only, so this is the one time it is shown:\n');
  process.stdout.write(`${invitationLink(origin, text)}\n`);
}

function tell(text: string) {
  process.stderr.write(text);
}
