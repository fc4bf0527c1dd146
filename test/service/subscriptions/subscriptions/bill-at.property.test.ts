// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { expectedAmount } from '../../../support/priced.ts';
import { tried } from '../../../support/seeded.ts';
import { test } from '../../../support/test.ts';
import { advance, fresh } from '../../../support/timeline.ts';
import { aMeteredSubscription, use, voidEvent } from '../../../support/usage.ts';

const start = Date.parse('2026-01-01T10:00:00Z');
const end = Date.parse('2026-03-01T10:00:00Z');
const hour = 3_600_000;

const tier = (upTo: string | null, unitPrice: string) => ({ upTo, unitPrice, flatFee: '0' });

const pricings = [
  { unitPrice: 3 },
  { model: 'graduated', tiers: [tier('300', '4'), tier(null, '1')], unitPrice: 4 },
  { model: 'volume', tiers: [tier('500', '3'), tier(null, '2')], unitPrice: 3 },
  { unitPrice: 2, minimumAmount: 900, maximumAmount: 2_500 },
] as const;

const step = fc.record({
  /** Hours until it, from the step before; all of them are in the first period. */
  after: fc.integer({ min: 1, max: 90 }),
  amount: fc.integer({ min: 1, max: 500 }),
  voids: fc.boolean(),
});

const script = fc.record({
  billAt: fc.integer({ min: 200, max: 2_000 }),
  pricing: fc.constantFrom(...pricings),
  credits: fc.constantFrom(0, 200),
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  /** The hours of each move of the clock, where it is advanced in short ones. */
  move: fc.integer({ min: 30, max: 300 }),
});

type Script = typeof script extends fc.Arbitrary<infer T> ? T : never;

/** Lives through the script, and returns the usage that counts at its end. */
async function live(session: Session, life: Script, move: number | null) {
  const { billAt, pricing, credits, steps } = life;
  const user = await aMeteredSubscription(session, {
    from: '2026-01-01',
    pricing: pricing as never,
    billAt,
    ...(credits > 0 && { credits }),
  });
  let now = start;
  const moveTo = async (to: number) => {
    for (let at = now + (move ?? 0) * hour; move && at < to; at += move * hour) {
      await advance(session, user.clockId, new Date(at).toISOString());
    }
    if (to > now) await advance(session, user.clockId, new Date(to).toISOString());
    now = Math.max(now, to);
  };
  const events: { id: string; amount: number }[] = [];
  for (const { after, amount, voids } of steps) {
    await moveTo(now + after * hour);
    const [event] = await use(session, user, amount);
    events.push({ id: event?.id ?? '', amount });
    const [first] = events;
    if (voids && first) {
      await voidEvent(session, first.id);
      events.shift();
    }
  }
  await moveTo(end);
  return { id: user.id, used: events.reduce((sum, { amount }) => sum + amount, 0) };
}

async function billsOf(session: Session, id: string) {
  const lines = await fresh(session).em.find(
    InvoiceLineItem,
    { invoice: { subscription: id }, type: 'usage' },
    { orderBy: { position: 'asc' }, populate: ['invoice'] },
  );
  return lines.map(({ amount, usageQuantity, invoice }) => {
    const { purpose, invoiceDate, status } = invoice.unwrap() as Invoice;
    return { purpose, status, at: invoiceDate.toISOString(), amount, usageQuantity };
  });
}

test('the invoices within a period and that at its end together bill what its usage costs, however the clock advances', async ({
  session,
}) => {
  await tried(
    'bill-at',
    fc.asyncProperty(script, async (life) => {
      const long = await live(session, life, null);
      const short = await live(session, life, life.move);
      const bills = await billsOf(session, long.id);
      expect(await billsOf(session, short.id)).toEqual(bills);
      const { pricing, credits, billAt } = life;
      const covered = String(Math.min(credits, long.used));
      const cost = expectedAmount(pricing as never, String(long.used), covered);
      expect(bills.reduce((sum, { amount }) => sum + amount, 0)).toBe(cost);
      const within = bills.filter(({ purpose }) => purpose === 'threshold');
      for (const { amount } of within) expect(amount).toBeGreaterThanOrEqual(billAt);
      for (const { id } of await fresh(session).em.find(Invoice, { subscription: long.id })) {
        const { differences } = await explainInvoice(fresh(session), id);
        expect(differences).toEqual([]);
      }
    }),
    { cases: 3, milliseconds: 5_000 },
  );
  await expectMoneyToAgree(fresh(session));
  await expectLedgersToAgree(fresh(session));
});
