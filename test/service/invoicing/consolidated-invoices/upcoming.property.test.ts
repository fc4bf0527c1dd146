// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { updateSubscription } from '#domain/subscriptions/commands/subscriptions/update-subscription.ts';
import { aDiscount } from '../../../support/discounts.ts';
import { aPrepaidCredit } from '../../../support/prepaid.ts';
import {
  aConsolidatingCustomer,
  documentsOf,
  type Timeline,
} from '../../../support/records/consolidated.ts';
import { aMeter, expectAsShown, upcomingOf } from '../../../support/records/upcoming-documents.ts';
import { tried } from '../../../support/seeded.ts';
import { test } from '../../../support/test.ts';
import { use } from '../../../support/usage.ts';

const subscriptions = fc.record({
  unitPrice: fc.integer({ min: 60, max: 5_000 }),
  months: fc.constantFrom(1, 1, 1, 2),
  isSent: fc.boolean(),
  hasOtherMethod: fc.boolean(),
  discount: fc.option(fc.integer({ min: 1, max: 100 })),
  uses: fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 2 }),
  trialDays: fc.constantFrom(undefined, undefined, 31, 12),
  ends: fc.nat(5).map((chance) => chance === 0),
  draftWindowHours: fc.constantFrom(undefined, undefined, 24),
});

const scripts = fc.record({
  subscriptions: fc.array(subscriptions, { minLength: 2, maxLength: 4 }),
  tax: fc.option(
    fc.record({ taxRatePercentage: fc.constantFrom('19', '8.875'), taxInclusive: fc.boolean() }),
  ),
  balance: fc.constantFrom(0, 150, 3_000),
  prepaid: fc.constantFrom(0, 0, 700, 4_000),
  /** The day on which the document is shown. */
  day: fc.constantFrom(3, 20, 33),
});
type Script = typeof scripts extends fc.Arbitrary<infer T> ? T : never;

test('the upcoming consolidated invoice is the document that follows, whatever the subscriptions have', async ({
  session,
  graphql,
}) => {
  await tried(
    'upcoming.property.test.ts',
    fc.asyncProperty(scripts, async (script) => {
      const timeline = await prepared(session, script);
      const known = (await documentsOf(timeline)).length;
      const shown = await upcomingOf(graphql, timeline);
      expect(await documentsOf(timeline)).toHaveLength(known);
      const present = (await timeline.subscriptions()).filter(({ isTerminal }) => !isTerminal);
      const named = [...shown.invoices, ...shown.leftOut].map(
        ({ subscriptionId }: { subscriptionId: string }) => subscriptionId,
      );
      expect(named.toSorted()).toEqual(present.map(({ id }) => id).toSorted());
      await timeline.toDay(123);
      const next = (await documentsOf(timeline))[known];
      if (shown.invoiceDate === null) expect(next).toBeUndefined();
      else await expectAsShown(graphql, timeline, shown, next);
    }),
    { cases: 3, milliseconds: 6_000 },
  );
});

/** A customer with the subscriptions of a script, on the day of the script. */
async function prepared(session: Session, script: Script): Promise<Timeline> {
  const { timeline } = await aConsolidatingCustomer(session, 'sandbox_success', []);
  const other = await timeline.pays('sandbox_success');
  const slug = await aMeter(timeline);
  for (const one of script.subscriptions) {
    const { unitPrice, months, isSent, discount, trialDays, draftWindowHours } = one;
    const { code } = discount ? await aDiscount(session, { amount: discount }) : { code: null };
    const { id } = await timeline.subscribes({
      ...{ unitPrice, interval: 'month', intervalCount: months, discountCode: code },
      ...(isSent && { collectionMethod: 'send_invoice', daysUntilDue: 130 }),
      ...(trialDays && { trialEnd: timeline.day(trialDays) }),
      ...(draftWindowHours && { draftWindowHours }),
    });
    const given = { defaultPaymentMethodId: other.id };
    if (one.hasOtherMethod) await updateSubscription(timeline.fresh(), { id, subscription: given });
    if (one.uses.length > 0) await use(session, { id, slug }, ...one.uses);
    const cancellation = { timing: 'at_end_of_current_billing_period' } as const;
    if (one.ends) await cancelSubscription(timeline.fresh(), { id, cancellation });
  }
  await timeline.toDay(script.day);
  const { id, externalId } = timeline.customer;
  const { tax, balance, prepaid } = script;
  if (tax)
    await updateCustomer(timeline.fresh(), { externalId, customer: { taxType: 'vat', ...tax } });
  const { em } = timeline.fresh();
  await em.execute('update customer set credit_balance = ? where id = ?', [balance, id]);
  if (prepaid > 0) await aPrepaidCredit(session, id, { amount: prepaid });
  return timeline;
}
