import { describe, expect } from 'vitest';
import { fresh } from '../../support/factories.ts';
import { expectLedgersToAgree } from '../../support/ledger.ts';
import { expectMoneyToAgree } from '../../support/money.ts';
import { aDiskOfTables, noDiskReason } from '../../support/servers/small-disk.ts';
import { systemTest as test } from '../../support/test.ts';
import { aKey } from '../faults/caller.ts';

const reason = await noDiskReason();
if (reason) process.stdout.write(`The test of a full disk is skipped: ${reason}\n`);

/** The tables that a new customer is written into. */
const tables = ['customer', 'event', 'idempotency_key'];

describe.skipIf(reason)('a full disk', () => {
  test('is 503 for changes until there is room, each answer is kept, and a repeat is executed once', async ({
    api,
    session,
    database,
  }) => {
    await using disk = await aDiskOfTables(database.databaseUrl, tables);
    const customer = (name: string) => ({
      customer: { externalId: name, name, email: 'ada@example.com' },
    });
    await disk.fill();
    const create = (name: string, key: string) =>
      api('POST', '/customers', customer(name), { headers: { 'idempotency-key': key } });
    const done: string[] = [];
    let failed: { readonly name: string; readonly key: string } | undefined;
    for (let place = 0; !failed && place < 2_000; place++) {
      const [name, key] = [`c${place}`, aKey()];
      const { status, headers } = await create(name, key);
      if (status === 200) done.push(name);
      else {
        expect([status, headers.has('retry-after')]).toEqual([503, true]);
        failed = { name, key };
      }
    }
    expect(failed).toBeDefined();
    expect((await api('GET', '/customers?limit=1')).status).toBe(200);
    const { name = '', key = '' } = failed ?? {};
    expect((await create(name, key)).status).toBe(503);
    await disk.clear();
    const answers = await Promise.all([create(name, key), create(name, key)]);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect((await create(name, key)).status).toBe(200);
    const { em, pricingModelId } = fresh(session);
    const rows = await em.execute<{ name: string }[]>(
      'select external_id as name from customer where pricing_model_id = ? order by position',
      [pricingModelId],
    );
    expect(rows.map(({ name }) => name)).toEqual([...done, name]);
    await expectMoneyToAgree(fresh(session));
    await expectLedgersToAgree(fresh(session));
  });
});
