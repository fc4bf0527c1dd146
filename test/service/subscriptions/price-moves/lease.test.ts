import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { applyAlertRules } from '#domain/metering/commands/alert-rules/apply-alert-rules.ts';
import { createAlertRule } from '#domain/metering/commands/alert-rules/create-alert-rule.ts';
import { AlertRule } from '#domain/model/metering/alert-rule.ts';
import { PriceMove } from '#domain/model/subscriptions/price-move.ts';
import { createPriceMove } from '#domain/subscriptions/commands/price-moves/create-price-move.ts';
import { moveSubscribers } from '#domain/subscriptions/commands/subscription-adjustments/move-subscribers.ts';
import { readDatabaseGauges } from '#server/metrics/database-gauges.ts';
import { aPriceOf, fresh } from '../../../support/factories.ts';
import { testAlone } from '../../../support/test.ts';
import { aMeteredSubscription } from '../../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations');

/** A run of a job that last stated at an instant that it is alive, and the lease that it has. */
async function aRun(session: Session, table: 'price_move' | 'alert_rule', alive: string) {
  const { em } = fresh(session);
  const run = `job ${new Date().toISOString()} ${Math.random()}`;
  await em.execute(
    `insert into cron_run (id, job, created_at, alive_at) values (?, 'job', now(), ${alive})`,
    [run],
  );
  await em.execute(
    `update ${table} set lease_holder = ?, lease_until = clock_timestamp() + interval '5 minutes'`,
    [`lease_1 ${run}`],
  );
  return {
    finish: () => em.execute('update cron_run set finished_at = now() where id = ?', [run]),
  };
}

const sweep = (session: Session, job: typeof moveSubscribers | typeof applyAlertRules) =>
  job(session.em.fork(), session.now, 'job 2026-03-02T00:00:00.000Z', (error) => {
    throw error;
  });

const works = {
  price_move: async (session: Session) => {
    const [fromPriceId, toPriceId] = [await aPriceOf(session, {}), await aPriceOf(session, {})];
    const priceMove = { fromPriceId, toPriceId };
    const { id } = await createPriceMove(fresh(session), { priceMove });
    return async () => {
      await sweep(session, moveSubscribers);
      const { status } = await fresh(session).em.findOneOrFail(PriceMove, id);
      return status === 'completed';
    };
  },
  alert_rule: async (session: Session) => {
    await aMeteredSubscription(session, { usageEventsPerUnit: 1 });
    const alertRule = { kind: 'spend', threshold: '100' } as const;
    const { id } = await createAlertRule(fresh(session), { alertRule });
    return async () => {
      await sweep(session, applyAlertRules);
      return (await fresh(session).em.findOneOrFail(AlertRule, id)).appliedAt != null;
    };
  },
};

describe.for(['price_move', 'alert_rule'] as const)('the lease of a %s', (table) => {
  test('holds while the run of its process is alive, and ends with the run', async ({
    session,
  }) => {
    const isDone = await works[table](session);
    const run = await aRun(session, table, `now() - interval '10 seconds'`);
    expect(await isDone()).toBe(false);
    await run.finish();
    expect(await isDone()).toBe(true);
  });

  test('ends 15 seconds after its process was killed', async ({ session }) => {
    const isDone = await works[table](session);
    await aRun(session, table, `now() - interval '16 seconds'`);
    expect(await isDone()).toBe(true);
  });
});

test('the metrics state how long a move and a rule stand still, and what has failed', async ({
  session,
}) => {
  await works.price_move(session);
  await works.alert_rule(session);
  const { em } = fresh(session);
  await em.execute(
    `update price_move set progressed_at = now() - interval '20 minutes', failed_count = 2 where status = 'running'`,
  );
  await em.execute(
    `update alert_rule set updated_at = now() - interval '2 hours', failed_customers = 3 where applied_at is null`,
  );
  const values = await readDatabaseGauges(fresh(session).em);
  const gauge = (name: string) => Math.round(values.get(name)?.[0]?.value ?? -1);
  expect(gauge('tollgate_price_move_still_seconds')).toBe(1_200);
  expect(gauge('tollgate_price_move_failures')).toBe(2);
  expect(gauge('tollgate_alert_rule_still_seconds')).toBe(7_200);
  expect(gauge('tollgate_alert_rule_failures')).toBe(3);
});
