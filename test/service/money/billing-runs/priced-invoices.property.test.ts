// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { updateSubscriptionItem } from '#domain/subscriptions/commands/subscription-adjustments/update-subscription-item.ts';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { aPriceOf, fresh } from '../../../support/factories.ts';
import {
  expectedAmount,
  itemPrices,
  type PriceSketch,
  usagePrices,
} from '../../../support/priced.ts';
import { tried } from '../../../support/seeded.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';
import { use } from '../../../support/usage.ts';
import { aBilled } from '../../../support/usage-invoices.ts';

const script = fc.record({
  seats: itemPrices,
  quantity: fc.integer({ min: 1, max: 40 }),
  discount: fc.constantFrom(undefined, '12.5', '33.3333'),
  price: usagePrices,
  uses: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 }),
  credits: fc.constantFrom(undefined, 20),
  tax: fc.constantFrom(undefined, '8.875', '19'),
  stops: fc.uniqueArray(fc.integer({ min: 10, max: 31 }), { minLength: 1, maxLength: 4 }),
});
type Script = typeof script extends fc.Arbitrary<infer T> ? T : never;

test('an upcoming invoice of models is the one that follows, in one step of a clock or in many', async ({
  database,
}) => {
  const property = fc.asyncProperty(script, async (script) => {
    const { session } = await aTenant(database.orm.em);
    const invoices = [
      await perform(session, script, []),
      await perform(session, script, script.stops),
    ];
    expect(invoices[1]).toEqual(invoices[0]);
  });
  await tried('priced-invoices.property.test.ts', property, { cases: 2, milliseconds: 5_000 });
});

const derived = ['graduated', 'volume', 'stairstep', 'percentage', 'matrix'];

/** The fields of a price as commands take them. */
const termsOf = ({ perUnit = 1, unitPrice, ...fields }: PriceSketch) => ({
  ...fields,
  usageEventsPerUnit: perUnit,
  unitPrice: derived.includes(fields.model ?? '') ? null : unitPrice,
});

async function perform(session: Session, script: Script, stops: readonly number[]) {
  const { seats, quantity, discount, price, uses, credits, tax } = script;
  const it = await aBilled(session, {
    price: 100,
    pricing: termsOf(price),
    ...(credits && { credits }),
  });
  if (tax) await taxed(session, it.customerId, tax);
  const { usageEventsPerUnit: _, ...terms } = termsOf(seats);
  const [item] = await fresh(session).em.find(SubscriptionItem, { subscription: it.id });
  await updateSubscriptionItem(fresh(session), {
    id: item?.id ?? '',
    timing: 'immediately',
    subscriptionItem: {
      priceId: await aPriceOf(session, terms as object),
      quantity,
      discountPercentage: discount,
    },
  });
  for (const amount of uses) await use(session, it, { amount: String(amount) });

  const upcoming = await upcomingInvoice(fresh(session), it.id);
  const used = uses.reduce((sum, amount) => sum + amount, 0);
  const covered = String(Math.min(credits ?? 0, used));
  expect(sumOf(upcoming?.lines ?? [], 'usage')).toBe(
    expectedAmount(price, String(used), covered, {}, uses.length),
  );
  expect(sumOf(upcoming?.lines ?? [], 'static')).toBe(
    expectedAmount({ ...seats, discount }, String(quantity)),
  );
  for (const day of stops.toSorted((a, b) => a - b)) await it.to(`2026-01-${day}`);
  await it.to('2026-02-02');
  const { subtotal, taxAmount, total } = (await it.invoices()).at(-1) ?? {};
  const { invoice } = upcoming ?? {};
  expect({ subtotal, taxAmount, total }).toEqual({
    subtotal: invoice?.subtotal,
    taxAmount: invoice?.taxAmount,
    total: invoice?.total,
  });
  return { subtotal, taxAmount, total };
}

const sumOf = (lines: readonly { type: string; amount: number }[], type: string) =>
  lines.reduce((sum, line) => sum + (line.type === type ? line.amount : 0), 0);

async function taxed(session: Session, id: string, taxRatePercentage: string) {
  const { externalId } = await fresh(session).em.findOneOrFail(Customer, id);
  const customer = { taxRatePercentage, taxType: 'sales_tax', taxCountry: 'US' } as const;
  await updateCustomer(fresh(session), { externalId, customer });
}
