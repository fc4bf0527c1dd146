import { openSession } from '#domain/kernel/session.ts';
import { sealToken } from '#domain/model/platform/payment-method.ts';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import { createTestClock } from '#domain/platform/commands/test-clocks/create-test-clock.ts';
import { connect, prepareDatabase } from '#server/database/database.ts';
import { addDueSubscriptions, aPlan, begin } from '../data/due-subscriptions.ts';
import { startMeasuredDatabase } from '../running/database.ts';
import { checkNightly } from '../running/nightly-checks.ts';
import { useSecrets } from '../running/own-secrets.ts';

const [given] = process.argv.slice(3).filter((text) => /^\d+$/.test(text));
const sizes = given ? [Number(given)] : [1, 100];
const end = new Date('2027-01-31T10:00:00Z');

/** A test clock that is advanced by 12 months: each customer has 12 boundaries and 12 paid invoices. */
export async function testClocks() {
  await using opened = new AsyncDisposableStack();
  const { databaseUrl } = opened.use(await startMeasuredDatabase());
  useSecrets();
  await prepareDatabase(databaseUrl, { now: new Date() });
  const orm = await connect({ databaseUrl, poolSize: 20, statementTimeoutSeconds: 30 });
  opened.defer(() => orm.close());
  const plan = await aPlan(orm);
  const { organizationId, pricingModelId } = plan;
  for (const count of sizes) {
    const batch = `clock_${count}`;
    await addDueSubscriptions(orm, plan, batch, count);
    const scope = { organizationId, pricingModelId, livemode: false, keyType: 'secret' } as const;
    const session = openSession(orm.em, { ...scope, now: begin });
    const clock = await createTestClock(session, { testClock: { name: batch, frozenTime: begin } });
    const methods = Array.from({ length: count }, (_, n) => `pm_${batch}_${n + 1}`);
    for (const table of ['customer', 'subscription'])
      await orm.em.execute(`update ${table} set test_clock_id = ? where id like ?`, [
        clock.id,
        `%\\_${batch}\\_%`,
      ]);
    for (const id of methods)
      await orm.em.execute('update payment_method set token = ? where id = ?', [
        sealToken(id, 'sandbox_success'),
        id,
      ]);
    const began = performance.now();
    await advanceTestClock(openSession(orm.em, { ...scope, now: begin }), {
      id: clock.id,
      frozenTime: end,
    });
    const seconds = (performance.now() - began) / 1_000;
    const [{ paid }] = (await orm.em.execute(
      `select count(*)::int as paid from invoice where test_clock_id = ? and status = 'paid'`,
      [clock.id],
    )) as [{ paid: number }];
    process.stdout.write(
      `${String(count).padStart(6)} customers × 12 months: ${seconds.toFixed(1)} s, ${paid} invoices paid, ` +
        `${((seconds / count / 12) * 1_000).toFixed(1)} ms a month of a customer\n`,
    );
  }
  await checkNightly(databaseUrl);
}
