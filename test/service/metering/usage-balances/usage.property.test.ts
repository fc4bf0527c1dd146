// @module-tag long
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { effort } from '../../../support/effort.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { seeded } from '../../../support/seeded.ts';
import {
  simulateUsage,
  usageAction,
  usageSettings,
} from '../../../support/simulation/usage-script.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const scripts = fc.array(usageAction, { minLength: 4, maxLength: 12 });
/** Steps that follow each other; what is within one of them happens at the same time. */
const crowds = fc.array(fc.array(usageAction, { minLength: 1, maxLength: 5 }), {
  minLength: 2,
  maxLength: 5,
});

describe('whatever is used, given, voided and billed', () => {
  test('by several callers at once: every event counts once, and ledgers, balances and invoices agree', async ({
    database,
  }) => {
    await fc.assert(
      fc.asyncProperty(usageSettings, crowds, async (settings, crowds) => {
        const { session } = await aTenant(database.orm.em);
        const simulation = await simulateUsage(session, settings);
        for (const crowd of crowds) {
          await Promise.all(crowd.map((action) => simulation.execute(action)));
          await expectLedgersToAgree(session);
        }
        await simulation.finish();
        await expectLedgersToAgree(session);
        await expectMoneyToAgree(session);
        const { used, events } = await countedOf(session);
        expect(used).toBe(simulation.used());
        expect(events).toBe(simulation.used());
      }),
      seeded('usage.property.test.ts', { numRuns: 7 * effort }),
    );
  });

  test('steps of any length lead to the same', async ({ database }) => {
    await fc.assert(
      fc.asyncProperty(
        usageSettings,
        scripts,
        fc.integer({ min: 2, max: 5 }),
        async (settings, script, advances) => {
          const [one, many] = await Promise.all(
            [1, advances].map(async (advances) => {
              const { session } = await aTenant(database.orm.em);
              const simulation = await simulateUsage(session, settings, advances);
              for (const action of script) await simulation.execute(action);
              await simulation.finish();
              await expectLedgersToAgree(session);
              return stateOf(session);
            }),
          );
          expect(many).toEqual(one);
        },
      ),
      seeded('usage.property.test.ts (steps)', { numRuns: 6 * effort }),
    );
  });
});

/** The usage in thousandths: as the balances state, and as the events add up. */
async function countedOf({ em, pricingModelId }: Session) {
  const [sums] = await em.execute<{ used: string; events: string }[]>(
    `select (select coalesce(sum(usage), 0) * 1000 from usage_meter_balance where pricing_model_id = ?) as used,
       (select coalesce(sum(amount), 0) * 1000 from usage_event
        where pricing_model_id = ? and voided_at is null) as events`,
    [pricingModelId, pricingModelId],
  );
  return { used: Number(sums?.used), events: Number(sums?.events) };
}

/** All that has come of a script, without ids and real time. */
async function stateOf({ em, pricingModelId }: Session) {
  const rows = (sql: string) => em.execute(sql, [pricingModelId]);
  return {
    balances: await rows(
      `select usage::float8, credits::float8, overage::float8, granted::float8, expired::float8, billed::float8
       from usage_meter_balance where pricing_model_id = ?`,
    ),
    // Which of several that are alike is used first is left to their ids.
    credits: await rows(
      `select sum(amount)::float8 as amount, sum(remaining)::float8 as remaining, sum(expired)::float8 as expired,
         sum(rolled_over)::float8 as rolled_over, sum(not_rolled_over)::float8 as not_rolled_over,
         created_at, expires_at, priority, source, rollover_periods
       from usage_credit where pricing_model_id = ? group by 6, 7, 8, 9, 10 order by 6, 7, 8, 9, 10`,
    ),
    owed: await rows(
      `select p.start_date, sum(o.quantity)::float8 as quantity, o.invoice_line_item_id is null as open
       from owed_usage o join billing_period p on p.id = o.billing_period_id
       where p.pricing_model_id = ? group by 1, 3 order by 1, 3`,
    ),
    invoices: await rows(
      `select right(invoice_number, 5) as number, status, total, invoice_date from invoice
       where pricing_model_id = ? order by number`,
    ),
    lines: await rows(
      `select usage_quantity::float8 as quantity, amount from invoice_line_item
       where pricing_model_id = ? and type = 'usage' order by usage_quantity, amount`,
    ),
  };
}
