import { describe, expect } from 'vitest';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import { anEndable } from '../../../support/records/ends.ts';
import { test } from '../../../support/test.ts';
import { periodsOf } from '../../../support/timeline.ts';

type Endable = Awaited<ReturnType<typeof anEndable>>;

const at = (it: Endable, day: number) => ({ timing: 'at_date', cancelAt: it.day(day) }) as const;

/** The periods as days after the start of the clock, with the worth that each was charged. */
const storyOf = async (it: Endable) =>
  (await periodsOf(it.fresh(), it.id)).map(({ startDate, endDate, status }) => {
    const day = (date: Date) => (date.getTime() - it.day(0).getTime()) / 86_400_000;
    return `${day(startDate)}-${day(endDate)} ${status}`;
  });
const subtotals = async (it: Endable) => (await it.invoices()).map(({ subtotal }) => subtotal);

describe('an end at a date', () => {
  test('within the running period ends there, and returns unused time as `credit` states', async ({
    session,
  }) => {
    const it = await anEndable(session);
    await it.toDay(3);
    const early = { ...at(it, 21), credit: 'balance' } as const;
    expect(await it.previewCancel(early)).toMatchObject({ endsAt: it.day(21), credited: 300 });
    expect(await it.cancel(early)).toMatchObject({
      status: 'cancellation_scheduled',
      cancelScheduledAt: it.day(21),
      cancellationCredit: 'balance',
      currentBillingPeriodEnd: it.day(30),
    });
    await it.toDay(20.9);
    expect(await it.current()).toMatchObject({ status: 'cancellation_scheduled' });
    await it.toDay(40);
    expect(await it.current()).toMatchObject({ status: 'canceled', canceledAt: it.day(21) });
    expect(await storyOf(it)).toEqual(['0-21 completed']);
    expect(await it.balance()).toBe(300);
    await expectMoneyToAgree(session);
  });

  test('in a later period shortens that one, which costs its share', async ({ session }) => {
    const it = await anEndable(session);
    await it.cancel(at(it, 75));
    expect(await upcomingInvoice(it.fresh(), it.id)).toMatchObject({ invoice: { subtotal: 1000 } });
    await it.toDay(45);
    expect(await upcomingInvoice(it.fresh(), it.id)).toMatchObject({ invoice: { subtotal: 500 } });
    await it.toDay(74);
    expect(await it.current()).toMatchObject({
      status: 'cancellation_scheduled',
      currentBillingPeriodEnd: it.day(75),
    });
    await it.toDay(100);
    expect(await it.current()).toMatchObject({ status: 'canceled', canceledAt: it.day(75) });
    expect(await storyOf(it)).toEqual(['0-30 completed', '30-60 completed', '60-75 completed']);
    expect(await subtotals(it)).toEqual([1000, 1000, 500]);
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });

  test('is final in the shortened period, so that no benefit of a cycle is given twice', async ({
    session,
  }) => {
    const it = await anEndable(session);
    await it.cancel(at(it, 40));
    await it.toDay(35);
    const laterEnds = [it.uncancel, () => it.cancel(at(it, 41)), () => it.cancel(at(it, 75))];
    for (const endLater of laterEnds) {
      const { issues } = await endLater().then(String, (error) => error);
      expect(issues?.[0].message).toMatch(/last period .*is a shorter one and has begun/);
    }
    await it.cancel(at(it, 38));
    await it.toDay(61);
    expect(await storyOf(it)).toEqual(['0-30 completed', '30-38 completed']);
    expect(await subtotals(it)).toEqual([1000, 333]);
    await expectMoneyToAgree(session);
  });

  test('that is withdrawn before the period never shortens it', async ({ session }) => {
    const it = await anEndable(session);
    await it.cancel(at(it, 40));
    await it.uncancel();
    await it.toDay(61);
    expect(await subtotals(it)).toEqual([1000, 1000, 1000]);
  });

  test('can be moved, and becomes an end with the period again', async ({ session }) => {
    const it = await anEndable(session);
    await it.cancel(at(it, 75));
    await it.toDay(31);
    await it.cancel({ timing: 'at_end_of_current_billing_period' });
    expect(await it.current()).toMatchObject({
      cancelScheduledAt: it.day(60),
      cancellationCredit: 'none',
    });
    await it.toDay(90);
    expect(await subtotals(it)).toEqual([1000, 1000]);
  });

  test('keeps an adjustment that is scheduled before it, and phases too', async ({ session }) => {
    const it = await anEndable(session);
    const [item] = await it.items();
    const fewer = [{ id: item?.id ?? '', quantity: 3 }];
    await it.adjust(fewer, { timing: 'at_end_of_current_billing_period' });
    expect(await it.previewCancel(at(it, 45))).toMatchObject({ scheduledAdjustment: 'kept' });
    await it.cancel(at(it, 45));
    await it.toDay(50);
    expect(await subtotals(it)).toEqual([1000, 1500]);
  });
});

test.for([
  [{ timing: 'at_date', cancelAt: -1 }, 'cancelAt', /must be after/],
  [{ timing: 'at_date', cancelAt: 0 }, 'cancelAt', /must be after/],
] as const)('an end at %j is refused', async ([{ cancelAt }, field, message], { session }) => {
  const it = await anEndable(session);
  await it.toDay(2);
  const error = await it.cancel(at(it, 2 + cancelAt)).catch((error) => error);
  expect(error).toMatchObject({ code: 'BAD_REQUEST' });
  expect(error.issues[0]).toMatchObject({ path: ['cancellation', field] });
  expect(error.issues[0].message).toMatch(message);
});

test('fields that the timing does not heed are refused', async ({ session, api }) => {
  const it = await anEndable(session);
  const { day } = it;
  for (const cancellation of [
    { timing: 'immediately', cancelAt: day(5).getTime() },
    { timing: 'at_end_of_current_billing_period', cancelAt: day(5).getTime() },
    { timing: 'at_end_of_current_billing_period', credit: 'balance' },
    { timing: 'at_date' },
    { timing: 'at_date', cancelAt: day(5).getTime(), prorate: true },
    { timing: 'immediately', unused: 'credit' },
  ]) {
    const { status } = await api('POST', `/subscriptions/${it.id}/cancel`, { cancellation });
    expect([cancellation, status]).toEqual([cancellation, 400]);
  }
  expect(await it.current()).toMatchObject({ status: 'active', cancelScheduledAt: null });
});
