import type { EntityManager } from '@mikro-orm/postgresql';
import { presentOf } from '#domain/kernel/present.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/prices/price.ts';
import { connectedAccount } from '#domain/rules/processing/connected-account.ts';
import type { ImportRequest } from './arguments.ts';
import { importCatalog } from './import-catalog.ts';
import { importCustomers } from './import-customers.ts';
import { importSubscriptions } from './import-subscriptions.ts';
import { readCsv } from './read-csv.ts';
import { readStripe } from './read-stripe.ts';
import { Report } from './report.ts';

type Scope = Omit<Parameters<typeof openSession>[1], 'now' | 'clock'>;

/**
 * Imports the records of a folder into a tenant, or only reports what it would import. Errors: ImportError for a file
 * that cannot be read as an export.
 */
export async function runImport(
  em: EntityManager,
  scope: Scope,
  { folder, from, applies }: Pick<ImportRequest, 'folder' | 'from' | 'applies'>,
): Promise<Report> {
  const began = await presentOf(em);
  let now = began;
  const open = (): Session => openSession(em, { ...scope, now, clock: { latest: now } });
  const prices = await open().em.find(Price, {});
  const slugs = prices.flatMap(({ slug }) => slug ?? []);
  const source = from === 'csv' ? await readCsv(folder) : await readStripe(folder, new Set(slugs));
  const report = new Report(source.problems);
  await importCatalog(open, source, report, applies);
  now = await presentOf(em);
  const account = await connectedAccount(open());
  await importCustomers({ em, open, account, report, applies }, source.customers);
  now = await presentOf(em);
  await importSubscriptions({ em, open, report, applies }, source);
  return report;
}
