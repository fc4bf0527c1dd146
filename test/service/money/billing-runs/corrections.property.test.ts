// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import {
  markInvoiceUncollectible,
  voidInvoice,
} from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { fresh } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { tried } from '../../../support/seeded.ts';
import {
  type Correction,
  type CorrectionsScript,
  correctionsScript,
  Expected,
  type Fate,
} from '../../../support/simulation/corrections-script.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';
import { availableOf, use, voidEvent } from '../../../support/usage.ts';
import { aBilled } from '../../../support/usage-invoices.ts';

const failing = (fate: Fate) => fate === 'void' || fate === 'uncollectible';
const dayOf = (month: number, day: number) => `2026-0${month + 1}-0${day}`;

test('whatever becomes of invoices before their usage is corrected, a customer pays what the rules state', async ({
  database,
}) => {
  const property = fc.asyncProperty(correctionsScript, async (script) => {
    const { session } = await aTenant(database.orm.em);
    const { paid, expected } = await perform(session, script);
    expect(paid).toEqual(expected);
    await expectLedgersToAgree(session);
    await expectMoneyToAgree(session);
  });
  await tried('corrections.property.test.ts', property, { cases: 3, milliseconds: 5_000 });
});

/** Performs a script; answers what came of it, and what was to come of it. */
async function perform(session: Session, { aggregationType, periods, last }: CorrectionsScript) {
  const it = await aBilled(session, { aggregationType: aggregationType as 'sum' });
  const model = new Expected(aggregationType);
  /** The ids of the events that stand at the places of the model's. */
  const ids: string[] = [];

  for (const [period, { uses, fate, corrections }] of periods.entries()) {
    await it.to(dayOf(period, 5));
    for (const { amount, seat } of uses) {
      const [event] = await use(session, it, { amount: String(amount), properties: { seat } });
      ids.push(event?.id ?? '');
      model.events.push({ period, amount, seat });
    }
    const isLast = period === periods.length - 1;
    const meets = isLast ? last.fate : fate;
    const isOpen = failing(meets) || (isLast && last.isOpenMeanwhile);
    if (isOpen) await it.declines();
    model.declines = isOpen && isLast;
    if (isLast) await it.cancel();
    await it.to(isLast ? dayOf(period, 6) : dayOf(period + 1, 2));
    const bill = isLast ? model.settleEnd(periods.length) : model.endPeriod(period);
    if (!bill || bill.total === bill.applied) {
      await it.pays('sandbox_success');
      for (const one of isLast ? last.corrections : corrections) await correct(one, isLast);
      continue;
    }
    const { id } = (await it.invoices()).at(-1) as Invoice;
    if (isLast && last.isOpenMeanwhile) {
      for (const one of last.corrections) await correct(one, true);
    }
    // A new card pays at once for what is open of a subscription that continues.
    const method = isOpen && isLast ? await it.pays('sandbox_success') : undefined;
    await meet(id, meets, method?.id);
    if (isOpen && !isLast) await it.pays('sandbox_success');
    if (isLast && isOpen && !failing(meets)) {
      // A payment after the end is credited at once, before any refund.
      model.meets(bill, 'paid');
      model.settleEnd(periods.length);
    }
    model.meets(bill, meets);
    if (isLast) model.settleEnd(periods.length);
    if (isLast && last.isOpenMeanwhile) continue;
    for (const one of isLast ? last.corrections : corrections) await correct(one, isLast);
  }
  await it.to(dayOf(periods.length, 9));
  const { id: paymentMethodId } = await it.pays('sandbox_success');
  for (const { id, status } of await it.invoices()) {
    if (status === 'open') await payInvoice(fresh(session), { id, paymentMethodId });
  }
  for (const bill of model.bills) {
    if (bill.state !== 'open') continue;
    bill.state = 'settled';
    model.settleEnd(periods.length);
  }
  const invoices = (await it.invoices()).filter(({ total }) => total > 0);
  return {
    paid: {
      totals: invoices.map(({ total }) => total),
      credit: await it.credit(),
      available: await availableOf(session, it).then((available) => available || 0),
    },
    expected: {
      totals: [2_000, ...model.bills.map(({ total }) => total)],
      credit: model.credit,
      available: 0,
    },
  };

  async function correct({ nth, amount }: Correction, hasEnded: boolean) {
    const places = model.events.flatMap((event, place) => (event ? [place] : []));
    const place = places.at(nth % Math.max(1, places.length));
    const event = place === undefined ? null : model.events[place];
    if (place === undefined || !event) return;
    const id = ids[place] ?? '';
    if (amount === null) {
      await voidEvent(session, id);
      model.events[place] = null;
    } else {
      ids[place] = (await it.replace(id, amount)).id;
      model.events[place] = { ...event, amount };
    }
    if (hasEnded) model.settleEnd(periods.length);
  }

  async function meet(id: string, fate: Fate, paymentMethodId: string | undefined) {
    if (fate === 'void') return voidInvoice(fresh(session), { id });
    if (fate === 'uncollectible') return markInvoiceUncollectible(fresh(session), { id });
    if (paymentMethodId) await payInvoice(fresh(session), { id, paymentMethodId });
    if (fate === 'paid') return undefined;
    const { id: payment, amount } = await fresh(session).em.findOneOrFail(Payment, {
      invoice: id,
      status: 'succeeded',
    });
    const part = fate === 'refunded' ? 100 : (fate as { refundedPart: number }).refundedPart;
    return refundPayment(fresh(session), {
      id: payment,
      partialAmount: Math.ceil((amount * part) / 100),
    });
  }
}
