import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, invalidInput } from '#domain/kernel/errors.ts';
import { issueOf } from '#domain/kernel/inputs/input-issues.ts';
import { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import { Organization } from '#domain/model/platform/organization.ts';
import {
  connectProcessor,
  connectProcessorInput,
} from '#domain/money/commands/processors/connect-processor.ts';
import { disconnectProcessor } from '#domain/money/commands/processors/disconnect-processor.ts';
import { sessionFor } from '../keys/commands.ts';
import { jsonText } from '../text-table.ts';

/** The command line looks for rows before their tenant is known. */
const anyTenant = { filters: { tenant: false } } as const;

/** How many organizations an error names at most. */
const shownOrganizations = 5;

interface Connect {
  readonly secretKey: string;
  readonly webhookSecret: string | undefined;
  readonly publicUrl: string | undefined;
  /** Needed where there are several organizations. */
  readonly organizationId: string | undefined;
}

/**
 * Connects an organization, in the mode of the key. Errors: BAD_REQUEST, also where there are several organizations and
 * none is named; NOT_FOUND; CONFLICT.
 */
export async function connect(
  em: EntityManager,
  { publicUrl, organizationId: named, ...given }: Connect,
  now: Date,
): Promise<ProcessorAccount> {
  const { data, error } = connectProcessorInput.safeParse({ kind: 'stripe', ...given });
  if (error) {
    throw new DomainError('BAD_REQUEST', invalidInput, { issues: error.issues.map(issueOf) });
  }
  const live = /^(sk|rk)_live_/.test(data.secretKey);
  const organizationId = await organizationFor(em, named);
  const session = await sessionFor(em, { live, pricingModelId: undefined, organizationId }, now);
  return connectProcessor(session, data, { publicUrl });
}

/** The named organization, or the only one. */
async function organizationFor(em: EntityManager, named: string | undefined): Promise<string> {
  const ids = (await em.find(Organization, {}, { orderBy: { createdAt: 'asc' } })).map(
    ({ id }) => id,
  );
  if (named !== undefined) {
    if (ids.includes(named)) return named;
    throw new DomainError('NOT_FOUND', `There is no organization ${named}`);
  }
  const [only, ...others] = ids;
  if (only === undefined) {
    throw new DomainError('NOT_FOUND', 'There is no organization in this database');
  }
  if (others.length === 0) return only;
  const shown = ids.slice(0, shownOrganizations).join(', ');
  throw new DomainError(
    'BAD_REQUEST',
    `There are ${ids.length} organizations: add --organization with the id of one, such as ${shown}`,
  );
}

/** Disconnects an account. Errors: NOT_FOUND, CONFLICT. */
export async function disconnect(em: EntityManager, id: string, now: Date) {
  const found = await em.findOne(ProcessorAccount, { id }, anyTenant);
  if (!found) throw new DomainError('NOT_FOUND', `There is no account ${id}; list shows all`);
  const { organizationId, livemode: live } = found;
  const place = { live, pricingModelId: undefined, organizationId };
  return disconnectProcessor(await sessionFor(em, place, now), { id });
}

/** All accounts, oldest first. */
export const listAccounts = (em: EntityManager): Promise<ProcessorAccount[]> =>
  em.find(ProcessorAccount, {}, { ...anyTenant, orderBy: { createdAt: 'asc' } });

/** The accounts as JSON, with the ends of their keys and none of their secrets. */
export const accountsJson = (accounts: readonly ProcessorAccount[]): string =>
  jsonText(
    accounts.map((account) => {
      const { id, organizationId, kind, accountReference, livemode, keyEnding } = account;
      const { isConnected, refusedReason, receivesNotices } = account;
      return {
        ...{ id, organizationId, kind, accountReference, livemode, keyEnding },
        ...{ isConnected, refusedReason, receivesNotices },
      };
    }),
  );

/** One line for each account, with the end of its key and none of its secrets. */
export const accountsTable = (accounts: readonly ProcessorAccount[]): string =>
  accounts.map((account) => `${lineOf(account)}\n`).join('');

export function lineOf(account: ProcessorAccount): string {
  const { id, organizationId, kind, accountReference, livemode, keyEnding } = account;
  const { receivesNotices } = account;
  const state = !account.isConnected
    ? 'disconnected'
    : account.refusedReason
      ? `refused: ${account.refusedReason}`
      : receivesNotices
        ? 'connected, receives events'
        : 'connected, lists events';
  return `${id}  ${organizationId}  ${kind}  ${accountReference}  ${livemode ? 'live' : 'test'}  …${keyEnding}  ${state}`;
}
