// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import type { Items } from '../../../support/adjustments.ts';
import { anAdjustable, shown } from '../../../support/adjustments.ts';
import { expectMoneyToAgree, moneyOf } from '../../../support/money.ts';
import { tried } from '../../../support/seeded.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const amount = fc.oneof(
  fc.integer({ min: 0, max: 5_000 }),
  fc.constantFrom(0, 1, 999, 123_456_789),
);
const quantity = fc.integer({ min: 1, max: 3 });

const adjust = fc.record({
  /** When, as a part of a day after the step before. */
  days: fc.double({ min: 0, max: 20, noNaN: true }),
  timing: fc.constantFrom('immediately', 'immediately', 'auto', 'at_end_of_current_billing_period'),
  prorates: fc.option(fc.boolean(), { nil: undefined }),
  keeps: fc.option(quantity),
  added: fc.array(fc.record({ unitPrice: amount, quantity, other: fc.boolean() }), {
    maxLength: 2,
  }),
  token: fc.constantFrom('sandbox_success', 'sandbox_success', 'sandbox_decline_expired_card'),
});

const script = fc.record({
  unitPrice: amount.filter((amount) => amount > 0),
  days: fc.integer({ min: 1, max: 40 }),
  rate: fc.constantFrom(null, '19', '8.875'),
  inclusive: fc.boolean(),
  credit: fc.constantFrom('none', 'balance'),
  steps: fc.array(adjust, { minLength: 1, maxLength: 4 }),
});

test('what a preview promises is what an adjustment does, to the minor unit', async ({
  database,
}) => {
  const property = fc.asyncProperty(
    script,
    async ({ unitPrice, days, rate, inclusive, credit, steps }) => {
      const { session } = await aTenant(database.orm.em);
      const tax = rate
        ? { taxType: 'vat' as const, taxRatePercentage: rate, taxInclusive: inclusive }
        : {};
      await updateOrganization(session, {
        organization: { prorationCredit: credit as 'none', ...tax },
      });
      const it = await anAdjustable(session, { unitPrice, days });
      const prices = [await it.monthly(unitPrice), await it.monthly(2 * unitPrice)] as const;
      const balance = async () =>
        (await it.fresh().em.findOneOrFail(Customer, it.customer.id)).creditBalance;
      let day = 0;
      for (const { days, timing, prorates, keeps, added, token } of steps) {
        day += days;
        await it.pays('sandbox_success', { default: true });
        await it.toDay(day);
        await it.pays(token, { default: true });
        const [current] = (await it.items()).filter(
          ({ addedDate, expiredAt }) => addedDate <= it.day(day) && expiredAt == null,
        );
        const items: Items = added.map(({ other, ...item }) => ({
          ...item,
          priceId: prices[other ? 1 : 0],
        }));
        if (keeps && current) items.push({ id: current.id, quantity: keeps });
        const options = { timing: timing as 'auto', prorateCurrentBillingPeriod: prorates };
        const before = { ...(await moneyOf(session)), credit: await balance() };
        const known = new Set((await it.invoices()).map(({ id }) => id));
        const preview = await it.preview(items, options);
        const result = await it.adjust(items, options).catch((error: Error) => error);
        const after = { ...(await moneyOf(session)), credit: await balance() };
        expect(after.payments).toBe(after.charges);
        const declined = token !== 'sandbox_success' && (preview.amountDue ?? 0) > 0;
        if (!preview.canAdjust || declined) {
          expect(result).toMatchObject({ code: 'BAD_REQUEST' });
          expect(after).toEqual(before);
          continue;
        }
        if (result instanceof Error) throw result;
        expect(after.charges - before.charges).toBe(preview.amountDue);
        expect(result).toMatchObject({
          resolvedTiming: preview.resolvedTiming,
          isUpgrade: preview.isUpgrade,
          billingRunId: null,
        });
        const invoice = (await it.invoices()).find(({ id }) => !known.has(id));
        const used = preview.prorationAmount ? (invoice?.creditApplied ?? 0) : 0;
        if (preview.prorationAmount) {
          expect(invoice).toMatchObject({
            subtotal: preview.prorationAmount,
            purpose: 'adjustment',
          });
          expect((invoice?.total ?? 0) - used).toBe(preview.amountDue);
          const explained = await explainInvoice(it.fresh(), invoice?.id ?? '');
          expect(explained.differences).toEqual([]);
          expect(explained.lines[0]?.steps.join('\n')).toContain('less payments for the period');
        }
        expect(after.credit - before.credit).toBe((preview.creditAmount ?? 0) - used);
        const at = preview.effectiveDate as Date;
        const then = (await it.items()).filter((item) => item.isActive(at));
        const kept = new Set(items.flatMap(({ id }) => id ?? []));
        const sorted = shown(
          then.map((item) => ({
            unitPrice: item.unitPrice,
            quantity: kept.has(item.id) ? (keeps ?? 1) : item.quantity,
          })),
        );
        expect(sorted).toEqual(shown(preview.newSubscriptionItems ?? []));
      }
      await it.pays('sandbox_success', { default: true });
      await it.toDay(day + 41);
      await expectMoneyToAgree(session);
    },
  );
  await tried('adjust.property.test.ts', property, { cases: 4, milliseconds: 4_000 });
});
