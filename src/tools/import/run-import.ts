import type { EntityManager } from '@mikro-orm/postgresql';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { lastKnownPresent, presentOf } from '#domain/kernel/values/present.ts';
import type { Price } from '#domain/model/catalog/price.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import { connectedAccount } from '#domain/money/processing/connected-account.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import type { ImportRequest } from './arguments.ts';
import { readCsv } from './csv/read-csv.ts';
import { ImportError } from './source/import-error.ts';
import { Report } from './source/report.ts';
import type { Situation } from './stripe/export.ts';
import { readStripe } from './stripe/read-stripe.ts';
import { checkSubscriptions } from './write/check-subscriptions.ts';
import { importCatalog } from './write/import-catalog.ts';
import { type CustomerPlace, importCustomers } from './write/import-customers.ts';
import { importSubscriptions } from './write/import-subscriptions.ts';
import { analyzePart, type Part, partsOf } from './write/in-parts.ts';
import { pricesHere } from './write/prices-here.ts';

/** The export, and how it is imported. */
export type ImportPlan = Pick<ImportRequest, 'folder' | 'from' | 'applies' | 'testClockId'>;

type Scope = Omit<Parameters<typeof openSession>[1], 'now' | 'clock'>;

/**
 * Imports the records of a folder into a tenant. Without `applies` each part of the import is rolled back after it was
 * executed. So the report has the refusals of the import. Errors: ImportError for a file that cannot be
 * read as an export, and for an unknown test clock.
 */
export async function runImport(
  em: EntityManager,
  scope: Scope,
  { folder, from, applies, testClockId }: ImportPlan,
): Promise<Report> {
  await presentOf(em);
  const openOn = (em: EntityManager) => (): Session => {
    const now = lastKnownPresent(em);
    return openSession(em, { ...scope, now, clock: { latest: now }, dryRun: !applies });
  };
  const open = openOn(em);
  const clock = testClockId === undefined ? null : await clockNamed(open(), testClockId);
  const source =
    from === 'csv' ? await readCsv(folder) : await readStripe(folder, await situationOf(open()));
  const report = new Report(source.problems);
  const account = await connectedAccount(open());
  const session = open();
  const instant = clock?.frozenTime ?? session.now;
  const checked = await checkSubscriptions(session, source, report, instant);
  const place = { account, testClockId };
  if (applies) await importCatalog(open, source, report);
  for (const [n, part] of partsOf(source.customers, checked).entries()) {
    await presentOf(em);
    if (applies) {
      await importPart({ ...place, em, open, report }, part);
      await analyzePart(em);
    } else {
      await rolledBack(em, async (em) => {
        const open = openOn(em);
        // The catalog is rolled back with each part, and is reported once.
        await importCatalog(open, source, n === 0 ? report : new Report([]));
        await importPart({ ...place, em, open, report }, part);
      });
    }
  }
  return report;
}

async function importPart(place: CustomerPlace, { customers, subscriptions }: Part) {
  const imported = await importCustomers(place, customers, subscriptions);
  const others = subscriptions.filter(({ one }) => !imported.has(one.externalId));
  await importSubscriptions(place, others);
}

/** Executes work in a transaction that is rolled back. Errors: those of the work. */
async function rolledBack(em: EntityManager, work: (em: EntityManager) => Promise<void>) {
  const rollback = new Error('A dry run has ended');
  try {
    await em.fork().transactional(async (em) => {
      await work(em);
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
}

/** The prices and the taxes that are here before the import. */
async function situationOf(session: Session): Promise<Situation> {
  const prices = await pricesHere(session.em);
  const meters = await session.em.find(UsageMeter, {}, { fields: ['slug'] });
  const { taxInclusive, taxType, taxEngine } = await settingsOf(session);
  return {
    known: new Map([...prices].map(([slug, price]) => [slug, named(price)])),
    meters: new Set(meters.map(({ slug }) => slug)),
    tax: {
      isInclusive: taxInclusive,
      taxes: taxEngine !== 'rule' || (taxType != null && taxType !== 'none'),
    },
  };
}

const named = ({ currency, type, isDefault, intervalUnit, intervalCount }: Price) => ({
  currency,
  type,
  isDefault,
  intervalUnit: intervalUnit ?? undefined,
  intervalCount: intervalCount ?? undefined,
});

async function clockNamed({ em }: Session, id: string): Promise<TestClock> {
  const clock = await em.findOne(TestClock, id);
  if (!clock) throw new ImportError(`There is no test clock ${id} in this mode`);
  return clock;
}
