import type { EntityManager } from '@mikro-orm/postgresql';
import { lastKnownPresent, presentOf } from '#domain/kernel/present.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/prices/price.ts';
import { connectedAccount } from '#domain/rules/processing/connected-account.ts';
import { TestClock } from '#domain/test-clocks/test-clock.ts';
import type { ImportRequest } from './arguments.ts';
import { checkSubscriptions } from './check-subscriptions.ts';
import { importCatalog } from './import-catalog.ts';
import { importCustomers } from './import-customers.ts';
import { ImportError } from './import-error.ts';
import { importSubscriptions, phaseCount } from './import-subscriptions.ts';
import { readCsv } from './read-csv.ts';
import { readStripe } from './read-stripe.ts';
import { Report } from './report.ts';

/** The export, and how it is imported. */
export type ImportPlan = Pick<ImportRequest, 'folder' | 'from' | 'applies' | 'testClockId'>;

type Scope = Omit<Parameters<typeof openSession>[1], 'now' | 'clock'>;

/**
 * Imports the records of a folder into a tenant, or only reports what it would import. Errors: ImportError for a file
 * that cannot be read as an export, and for an unknown test clock.
 */
export async function runImport(
  em: EntityManager,
  scope: Scope,
  { folder, from, applies, testClockId }: ImportPlan,
): Promise<Report> {
  await presentOf(em);
  const open = (): Session => {
    const now = lastKnownPresent(em);
    return openSession(em, { ...scope, now, clock: { latest: now } });
  };
  const clock = testClockId === undefined ? null : await clockNamed(open(), testClockId);
  const prices = await open().em.find(Price, {});
  const slugs = prices.flatMap(({ slug }) => slug ?? []);
  const source = from === 'csv' ? await readCsv(folder) : await readStripe(folder, new Set(slugs));
  const report = new Report(source.problems);
  await importCatalog(open, source, report, applies);
  const account = await connectedAccount(open());
  const session = open();
  const checked = await checkSubscriptions(
    session,
    source,
    report,
    clock?.frozenTime ?? session.now,
  );
  const place = { em, open, account, report, applies, testClockId };
  const imported = await importCustomers(place, source.customers, checked);
  if (applies) {
    const others = checked.filter(({ one }) => !imported.has(one.externalId));
    await importSubscriptions(place, others);
  } else {
    report.create('subscription', checked.length);
    report.create('phase', phaseCount(checked));
  }
  return report;
}

async function clockNamed({ em }: Session, id: string): Promise<TestClock> {
  const clock = await em.findOne(TestClock, id);
  if (!clock) throw new ImportError(`There is no test clock ${id} in this mode`);
  return clock;
}
