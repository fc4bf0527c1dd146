import { expect } from 'vitest';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import { anAdjustable } from '../../../support/adjustments.ts';
import { test } from '../../../support/test.ts';

/** The steps of the first line of the newest invoice. */
async function stepsOf(it: Awaited<ReturnType<typeof anAdjustable>>) {
  const [newest] = (await it.invoices()).toReversed();
  const explained = await explainInvoice(it.fresh(), newest?.id ?? '');
  expect(explained).toMatchObject({ verified: true, differences: [] });
  return explained.lines[0]?.steps;
}

test('the charge of a change of plan is derived from the parts of its period', async ({
  session,
}) => {
  const it = await anAdjustable(session, { unitPrice: 1_000 });
  const [start, change, again, end] = [0, 15, 20, 30].map((day) => it.day(day).toISOString());
  await it.toDay(15);
  await it.adjust([{ priceId: await it.monthly(2_000) }]);
  expect(await stepsOf(it)).toEqual([
    `for ${start} to ${end}`,
    `old plan, ${start} to ${change}: USD 10.00 × 15 of 30 days, rounded half up = USD 5.00`,
    `new plan, ${change} to ${end}: USD 20.00 × 15 of 30 days, rounded half up = USD 10.00`,
    'worth of the period with the change: USD 5.00 + USD 10.00 = USD 15.00',
    'less payments for the period: USD 15.00 - USD 10.00 = USD 5.00',
    'USD 5.00 × 1 = USD 5.00',
  ]);
  await it.toDay(20);
  await it.adjust([{ priceId: await it.monthly(3_000) }]);
  expect(await stepsOf(it)).toEqual([
    `for ${start} to ${end}`,
    `old plan, ${change} to ${again}: USD 5.00 + USD 20.00 × 5 of 30 days, rounded half up = USD 8.33`,
    `new plan, ${again} to ${end}: USD 30.00 × 10 of 30 days, rounded half up = USD 10.00`,
    'worth of the period with the change: USD 8.33 + USD 10.00 = USD 18.33',
    'less payments for the period: USD 18.33 - USD 15.00 = USD 3.33',
    'USD 3.33 × 1 = USD 3.33',
  ]);
});

test('a charge that differs from its computation is a difference', async ({ session }) => {
  const it = await anAdjustable(session, { unitPrice: 1_000 });
  await it.toDay(15);
  await it.adjust([{ priceId: await it.monthly(2_000) }]);
  await it.fresh().em.execute(
    `update billing_run set adjustment = jsonb_set(adjustment::jsonb, '{basis,paid}', '900')
     where purpose = 'adjustment'`,
  );
  const [invoice] = (await it.invoices()).toReversed();
  expect(await explainInvoice(it.fresh(), invoice?.id ?? '')).toMatchObject({
    verified: false,
    differences: [`${invoice?.id}: the change is charged USD 5.00, not USD 6.00`],
  });
});
