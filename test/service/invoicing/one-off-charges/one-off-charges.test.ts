// @module-tag long
import { describe, expect } from 'vitest';
import { voidInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { deleteOneOffCharge } from '#domain/invoicing/commands/one-off-charges/delete-one-off-charge.ts';
import { updateOneOffCharge } from '#domain/invoicing/commands/one-off-charges/update-one-off-charge.ts';
import type { Session } from '#domain/kernel/session.ts';
import { OneOffCharge } from '#domain/model/invoicing/one-off-charge.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { catchUp } from '#domain/subscriptions/lifecycle/transition-subscription.ts';
import { aDiscount } from '../../../support/discounts.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { aCharge, linedInvoicesOf } from '../../../support/records/one-off-charges.ts';
import { test } from '../../../support/test.ts';
import { advance, aTimedSubscription, at, eventsOf, fresh } from '../../../support/timeline.ts';
import { aMeteredSubscription, use, voidEvent } from '../../../support/usage.ts';

/** A subscription at 10.00 a month, whose usage costs 1 minor unit each, on a clock at January 1. */
const aPlan = (session: Session, more: object = {}) =>
  aMeteredSubscription(session, {
    from: '2026-01-01',
    unitPrice: 1,
    usageEventsPerUnit: 1,
    ...more,
  });

const cancelNow = (session: Session, id: string) =>
  cancelSubscription(fresh(session), { id, cancellation: { timing: 'immediately' } });

const chargeOf = (session: Session, { id }: OneOffCharge) =>
  fresh(session).em.findOneOrFail(OneOffCharge, id);

async function expectAgreement(session: Session) {
  await expectMoneyToAgree(fresh(session));
  await expectLedgersToAgree(fresh(session));
}

describe('a one-off charge', () => {
  test('is on the next invoice of its subscription, as the upcoming one shows it, and on no other', async ({
    session,
  }) => {
    const plan = await aPlan(session);
    await advance(session, plan.clockId, '2026-01-10');
    const charge = await aCharge(session, plan.id, { quantity: 2.5, unitPrice: 333 });
    const upcoming = await upcomingInvoice(fresh(session), plan.id);
    expect(upcoming?.lines.map(({ type, amount }) => [type, amount])).toEqual([
      ['static', 1_000],
      ['one_off', 833],
    ]);
    expect(await chargeOf(session, charge)).toMatchObject({ status: 'pending', invoiceId: null });
    await advance(session, plan.clockId, '2026-03-02');
    expect(await linedInvoicesOf(session, plan.id)).toEqual([
      'period paid 2026-01-01: static 1000',
      'period paid 2026-02-01: static 1000, one_off 833',
      'period paid 2026-03-01: static 1000',
    ]);
    const billed = await chargeOf(session, charge);
    expect(billed).toMatchObject({ status: 'billed', billedAt: at('2026-02-01') });
    expect((await eventsOf(session, charge.id)).map(({ type }) => type)).toEqual([
      'one_off_charge.created',
      'one_off_charge.billed',
    ]);
    await expectAgreement(session);
  });

  test('can be changed and deleted until it is billed', async ({ session }) => {
    const plan = await aPlan(session);
    const [changed, deleted] = [await aCharge(session, plan.id), await aCharge(session, plan.id)];
    const change = (expectedVersion: number, unitPrice: number) =>
      updateOneOffCharge(fresh(session), {
        id: changed.id,
        expectedVersion,
        oneOffCharge: { unitPrice, description: 'Two days' },
      });
    await change(1, 700);
    await expect(change(1, 900)).rejects.toMatchObject({ issues: [{ code: 'STALE' }] });
    await deleteOneOffCharge(fresh(session), { id: deleted.id });
    await advance(session, plan.clockId, '2026-02-01');
    expect(await linedInvoicesOf(session, plan.id)).toEqual([
      'period paid 2026-01-01: static 1000',
      'period paid 2026-02-01: static 1000, one_off 700',
    ]);
    const refused = { issues: [{ code: 'INVALID_STATE', path: ['id'] }] };
    await expect(change(3, 900)).rejects.toMatchObject(refused);
    const { id } = changed;
    await expect(deleteOneOffCharge(fresh(session), { id })).rejects.toMatchObject(refused);
    expect((await eventsOf(session, deleted.id)).map(({ type }) => type)).toEqual([
      'one_off_charge.created',
      'one_off_charge.deleted',
    ]);
  });

  test('is billed by the invoice after the end of its subscription, next to usage or alone', async ({
    session,
  }) => {
    const [alone, beside] = [await aPlan(session), await aPlan(session)];
    for (const { clockId } of [alone, beside]) await advance(session, clockId, '2026-01-10');
    await aCharge(session, alone.id);
    await aCharge(session, beside.id);
    await use(session, beside, 40);
    for (const { id, clockId } of [alone, beside]) {
      await cancelNow(session, id);
      await advance(session, clockId, '2026-03-01');
    }
    expect((await linedInvoicesOf(session, alone.id)).slice(1)).toEqual([
      'last_usage paid 2026-01-10: one_off 500',
    ]);
    expect((await linedInvoicesOf(session, beside.id)).slice(1)).toEqual([
      'last_usage paid 2026-01-10: usage 40, one_off 500',
    ]);
    await expectAgreement(session);
  });

  test('is billed at the end also where corrected usage is credited there', async ({ session }) => {
    const plan = await aPlan(session);
    const [event] = await use(session, plan, 900);
    await advance(session, plan.clockId, '2026-02-10');
    await voidEvent(session, event?.id ?? '');
    await aCharge(session, plan.id);
    await cancelNow(session, plan.id);
    await advance(session, plan.clockId, '2026-03-01');
    const bills = (await linedInvoicesOf(session, plan.id))
      .slice(2)
      .map((text) => text.split(': ')[1]);
    expect(bills.filter((lines) => lines?.includes('one_off 500'))).toHaveLength(1);
    await expectAgreement(session);
  });

  test('amounts to 1 or more', async ({ session }) => {
    const { id } = await aPlan(session);
    const tiny = aCharge(session, id, { unitPrice: 1, quantity: 0.001 });
    await expect(tiny).rejects.toMatchObject({ issues: [{ path: ['oneOffCharge', 'unitPrice'] }] });
  });

  test('waits for the first paid invoice of a trial, and for that after a pause', async ({
    session,
  }) => {
    const trial = await aPlan(session, { trialEnd: at('2026-01-20') });
    await aCharge(session, trial.id);
    await advance(session, trial.clockId, '2026-01-21');
    expect(await linedInvoicesOf(session, trial.id)).toEqual([
      'period paid 2026-01-20: static 1000, one_off 500',
    ]);
    const paused = await aPlan(session);
    await pauseSubscription(fresh(session), {
      id: paused.id,
      pause: { timing: 'immediately', resumesAt: at('2026-02-10') },
    });
    await advance(session, paused.clockId, '2026-02-05');
    await aCharge(session, paused.id);
    await advance(session, paused.clockId, '2026-02-11');
    expect((await linedInvoicesOf(session, paused.id)).slice(1)).toEqual([
      'period paid 2026-02-10: static 1000, one_off 500',
    ]);
    await expectAgreement(session);
  });

  test('is not reduced by a discount, and leaves room for corrections of usage', async ({
    session,
  }) => {
    const { code } = await aDiscount(session, { amount: 50, duration: 'forever' });
    const plan = await aPlan(session, { discountCode: code, price: 100 });
    const [event] = await use(session, plan, 400);
    await advance(session, plan.clockId, '2026-02-01');
    await voidEvent(session, event?.id ?? '');
    await aCharge(session, plan.id);
    await advance(session, plan.clockId, '2026-03-01');
    // 100 + 500 − 400, with half of 100 off, and the half of 400 that its discount was.
    expect((await linedInvoicesOf(session, plan.id)).slice(2)).toEqual([
      'period paid 2026-03-01: static 100, usage -400, one_off 500, discount 200, discount -50',
    ]);
    await expectMoneyToAgree(fresh(session));
  });

  test('stays on an invoice that is voided, and is not billed again', async ({ session }) => {
    const { id, clockId } = await aTimedSubscription(session, {
      from: '2026-01-01',
      unitPrice: 1_000,
      collectionMethod: 'send_invoice',
    });
    const charge = await aCharge(session, id);
    await advance(session, clockId, '2026-02-01');
    const { invoiceId } = await chargeOf(session, charge);
    await voidInvoice(fresh(session), { id: invoiceId ?? '' });
    await cancelNow(session, id);
    await advance(session, clockId, '2026-03-01');
    expect(await linedInvoicesOf(session, id)).toEqual([
      'period open 2026-01-01: static 1000',
      'period void 2026-02-01: static 1000, one_off 500',
    ]);
    expect(await chargeOf(session, charge)).toMatchObject({ status: 'billed', invoiceId });
    await expectAgreement(session);
  });

  test('is billed once, however many charges and invoices are written at once', async ({
    session,
  }) => {
    const plan = await aPlan(session);
    await advance(session, plan.clockId, '2026-01-31');
    await Promise.all([
      ...Array.from({ length: 6 }, () => aCharge(session, plan.id)),
      advance(session, plan.clockId, '2026-02-01'),
      ...Array.from({ length: 3 }, () => catchUp(fresh(session), plan.id)),
    ]);
    await advance(session, plan.clockId, '2026-03-01');
    const lines = (await linedInvoicesOf(session, plan.id)).join(', ').match(/one_off 500/g);
    expect(lines).toHaveLength(6);
    const pending = { subscription: plan.id, billedAt: null };
    expect(await fresh(session).em.count(OneOffCharge, pending)).toBe(0);
    await expectAgreement(session);
  });

  test('is refused where no invoice follows, and with amounts that cannot be billed', async ({
    session,
  }) => {
    const plan = await aPlan(session);
    const free = await aPlan(session, { doNotCharge: true });
    const refusal = async (id: string, more: object = {}) =>
      aCharge(session, id, more).then(
        () => null,
        ({ issues }) => issues[0],
      );
    expect(await refusal('sub_none')).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusal(free.id)).toMatchObject({ code: 'INVALID_STATE' });
    expect(await refusal(plan.id, { priceId: 'price_none' })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusal(plan.id, { unitPrice: Number.MAX_SAFE_INTEGER })).toMatchObject({
      code: 'OUT_OF_RANGE',
      path: ['oneOffCharge', 'unitPrice'],
    });
    await cancelNow(session, plan.id);
    expect(await refusal(plan.id)).toMatchObject({ code: 'INVALID_STATE' });
  });
});
