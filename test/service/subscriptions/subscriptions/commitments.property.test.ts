// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { countedAmounts, trueUpTimings } from '#domain/model/subscriptions/commitment.ts';
import { setCommitment } from '#domain/subscriptions/commands/subscriptions/set-commitment.ts';
import { aDiscount } from '../../../support/discounts.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { tried } from '../../../support/seeded.ts';
import { test } from '../../../support/test.ts';
import { advance, fresh } from '../../../support/timeline.ts';
import { aMeteredSubscription, use, voidEvent } from '../../../support/usage.ts';

const periods = 5;

/** The actions of a period, ten days after its start: new usage, and a correction of earlier usage. */
const month = fc.record({
  amount: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3_000 })),
  voids: fc.boolean(),
});

const script = fc.record({
  amount: fc.integer({ min: 1, max: 6_000 }),
  length: fc.constantFrom(1, 2, 3),
  trueUp: fc.constantFrom(...trueUpTimings),
  counts: fc.constantFrom(...countedAmounts),
  credits: fc.constantFrom(0, 500),
  discounted: fc.boolean(),
  months: fc.array(month, { minLength: periods, maxLength: periods }),
  /** The days of each step of the clock, where it is advanced in short ones. */
  step: fc.integer({ min: 3, max: 17 }),
});

type Script = typeof script extends fc.Arbitrary<infer T> ? T : never;

const day = 86_400_000;
const start = Date.parse('2026-01-01T10:00:00Z');
const dateOf = (at: number) => new Date(at).toISOString();
const startOf = (place: number) => Date.UTC(2026, place, 1, 10);

/** Lives through the script on a clock that is advanced from date to date, at once or in steps. */
async function live(session: Session, life: Script, code: string, stepDays: number | null) {
  const { amount, length, trueUp, counts, credits, discounted, months } = life;
  const user = await aMeteredSubscription(session, {
    unitPrice: 1,
    usageEventsPerUnit: 1,
    from: '2026-01-01',
    ...(credits > 0 && { credits }),
    ...(discounted && { discountCode: code }),
  });
  await setCommitment(fresh(session), {
    id: user.id,
    commitment: { amount, interval: 'month', intervalCount: length, trueUp, counts },
  });
  let now = start;
  const moveTo = async (to: number) => {
    for (let at = now + (stepDays ?? 0) * day; stepDays && at < to; at += stepDays * day) {
      await advance(session, user.clockId, dateOf(at));
    }
    await advance(session, user.clockId, dateOf(to));
    now = to;
  };
  const recorded: string[] = [];
  for (const [place, { amount, voids }] of months.entries()) {
    await moveTo(startOf(place) + 10 * day);
    const [earlier] = recorded;
    if (voids && earlier) {
      await voidEvent(session, earlier);
      recorded.shift();
    }
    if (amount > 0) {
      const [event] = await use(session, user, amount);
      recorded.push(event?.id ?? '');
    }
  }
  await moveTo(startOf(periods + 1) + day);
  return user.id;
}

async function linesOf(session: Session, id: string) {
  const lines = await fresh(session).em.find(
    InvoiceLineItem,
    { invoice: { subscription: id } },
    { orderBy: { position: 'asc' }, populate: ['invoice'] },
  );
  return lines.map(({ type, amount, invoice, description }) => {
    const { invoiceNumber } = invoice.unwrap() as Invoice;
    return [invoiceNumber.slice(-5), type, amount, description?.replace(/metered-\d+/, '')];
  });
}

/** Per term: what it commits, what its invoices bill for usage and plan, and the differences they charge. */
async function termsOf(session: Session, id: string) {
  const { em } = fresh(session);
  const all = await em.find(
    BillingPeriod,
    { subscription: id, status: 'completed' },
    { orderBy: { startDate: 'asc' } },
  );
  const groups = Map.groupBy(all, ({ commitment }) => commitment?.term);
  const terms = [];
  for (const of of groups.values()) {
    const ids = of.map(({ id }) => id);
    const rows = await em.execute<{ usage: string; plan: string; charged: string }[]>(
      `select
         (select coalesce(sum(amount), 0) from owed_usage where billing_period_id in (?)
            and invoice_line_item_id is not null and not is_lost) as usage,
         (select coalesce(sum(l.amount), 0) from invoice i join invoice_line_item l on l.invoice_id = i.id
            where i.billing_period_id in (?) and l.type = 'static' and i.purpose = 'period') as plan,
         (select coalesce(sum(amount), 0) from invoice_line_item where committed_period_id = ?) as charged`,
      [ids, ids, ids[0]],
    );
    const [row] = rows;
    terms.push({
      periods: of.length,
      usage: Number(row?.usage),
      plan: Number(row?.plan),
      charged: Number(row?.charged),
    });
  }
  return terms;
}

test('the invoices of a term bill what is committed where less counts, else what counts, however the clock advances', async ({
  session,
}) => {
  await aDiscount(session, { code: 'TENPERCENT', amountType: 'percent', amount: 10 });
  await tried(
    'commitments',
    fc.asyncProperty(script, async (life) => {
      const long = await live(session, life, 'TENPERCENT', null);
      const short = await live(session, life, 'TENPERCENT', life.step);
      expect(await linesOf(session, short)).toEqual(await linesOf(session, long));
      const terms = await termsOf(session, long);
      for (const [place, { periods: closed, usage, plan, charged }] of terms.entries()) {
        const isWhole = closed === life.length;
        if (!isWhole && life.trueUp === 'at_end') {
          expect(charged).toBe(0);
          continue;
        }
        const counted = life.counts === 'all' ? usage + plan : usage;
        const committed = Math.round((life.amount * closed) / life.length);
        expect([place, counted + charged]).toEqual([place, Math.max(committed, counted)]);
      }
      for (const { id } of await fresh(session).em.find(Invoice, { subscription: long })) {
        const { differences } = await explainInvoice(fresh(session), id);
        expect(differences).toEqual([]);
      }
    }),
    { cases: 3, milliseconds: 6_000 },
  );
  await expectMoneyToAgree(fresh(session));
  await expectLedgersToAgree(fresh(session));
});
