// @module-tag long
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { expectChargesToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import { tried } from '../../../support/seeded.ts';
import { action, settings } from '../../../support/simulation/money-actions.ts';
import { expectDiscountsToAgree } from '../../../support/simulation/money-discounts.ts';
import { simulate } from '../../../support/simulation/money-script.ts';
import { aTenant } from '../../../support/tenant.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const scripts = fc.array(action, { minLength: 3, maxLength: 9 });

describe('whatever a customer does, on a clock that moves in any steps', () => {
  test('the money is what the processor states after each step, and steps of any length lead to the same', async ({
    database,
  }) => {
    await tried(
      'money.property.test.ts',
      fc.asyncProperty(
        settings,
        scripts,
        fc.integer({ min: 2, max: 9 }),
        async (settings, script, advances) => {
          const [one, many] = await Promise.all(
            [1, advances].map(async (advances) => {
              const { session } = await aTenant(database.orm.em);
              const simulation = await simulate(session, settings, advances);
              for (const action of script) {
                await simulation.execute(action);
                await expectMoneyToAgree(session);
                await expectChargesToAgree(session);
                await expectDiscountsToAgree(session, settings.discount);
              }
              return stateOf(session);
            }),
          );
          expect(many).toEqual(one);
        },
      ),
      { cases: 5, milliseconds: 8_000 },
    );
  });
});

describe('whatever a customer does in real time, with jobs that catch up after each step', () => {
  test('the money is what the processor states, and invoices are numbered in the order of their periods', async ({
    database,
  }) => {
    await tried(
      'money.property.test.ts in real time',
      fc.asyncProperty(settings, scripts, async (settings, script) => {
        const { session } = await aTenant(database.orm.em);
        const simulation = await simulate(session, settings, 'caught up');
        for (const action of script) {
          await simulation.execute(action);
          await expectMoneyToAgree(session);
          await expectChargesToAgree(session);
          await expectDiscountsToAgree(session, settings.discount);
        }
        expect(await outOfOrder(session)).toEqual([]);
      }),
      { cases: 3, milliseconds: 4_000 },
    );
  });
});

/** The invoices of a subscription that have a lower number than one for an earlier period. */
const outOfOrder = ({ em, pricingModelId }: Session) =>
  em.execute(
    `select later.invoice_number from invoice later join invoice earlier
       on earlier.subscription_id = later.subscription_id
         and earlier.billing_period_start_date < later.billing_period_start_date
         and earlier.invoice_number > later.invoice_number
     where later.pricing_model_id = ? and later.purpose = 'period' and earlier.purpose = 'period'`,
    [pricingModelId],
  );

/** All that has come of a script, without ids and real time. */
async function stateOf({ em, pricingModelId }: Session) {
  const rows = (sql: string) => em.execute(sql, [pricingModelId]);
  return {
    invoices: await rows(
      `select right(invoice_number, 5) as number, currency, status, subtotal, tax_amount, total, credit_applied,
         amount_credited, amount_waived, invoice_date, due_date, sent_at, overdue_at, reminder_count, billing_period_start_date, billing_period_end_date
       from invoice where pricing_model_id = ? order by currency, number`,
    ),
    payments: await rows(
      `select right(i.invoice_number, 5) as number, p.status, p.amount, p.refunded_amount, p.charge_date,
         p.credited_amount, p.reversed_amount, p.disputed, p.settlement_date, p.failure_code, p.check_due_at
       from payment p join invoice i on i.id = p.invoice_id where p.pricing_model_id = ?
       order by p.currency, number, p.charge_date, p.status, p.failure_code, p.amount, p.refunded_amount`,
    ),
    customers: await rows(
      `select currency, credit_balance, amount_owed, invoice_count, credit_note_count from customer
       where pricing_model_id = ? order by currency`,
    ),
    receipts: await rows(
      `select currency, status, method, amount, received_at, reversed_at from remittance
       where pricing_model_id = ? order by currency, position`,
    ),
    disputes: await rows(
      `select currency, status, amount, withdrawn_amount, opened_at, closed_at from dispute
       where pricing_model_id = ? order by currency, opened_at, amount, withdrawn_amount, status`,
    ),
    creditNotes: await rows(
      `select right(credit_note_number, 5) as number, currency, status, settlement, reason, subtotal, tax_amount, total,
         refunded_amount, credited_amount, written_off_amount, issued_at
       from credit_note where pricing_model_id = ? order by currency, number`,
    ),
    discounts: await rows(
      `select right(i.invoice_number, 5) as number, i.currency, l.amount, l.discount_base
       from invoice_line_item l join invoice i on i.id = l.invoice_id
       where i.pricing_model_id = ? and l.type = 'discount' order by i.currency, number, l.amount`,
    ),
    runs: await rows(
      `select r.status, r.attempt_number, r.scheduled_for, r.due_at, r.error_details, b.start_date
       from billing_run r join billing_period b on b.id = r.billing_period_id
         join subscription s on s.id = r.subscription_id
       where r.pricing_model_id = ? order by s.currency, b.start_date, r.attempt_number, r.scheduled_for, r.status`,
    ),
    periods: await rows(
      `select b.start_date, b.end_date, b.status from billing_period b join subscription s on s.id = b.subscription_id
       where b.pricing_model_id = ? order by s.currency, b.start_date, b.end_date, b.status`,
    ),
    subscriptions: await rows(
      `select status, start_date, canceled_at, cancellation_reason, current_billing_period_start, transition_due_at
       from subscription where pricing_model_id = ? order by currency, start_date, canceled_at, is_free_plan, position`,
    ),
  };
}
