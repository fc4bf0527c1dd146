// @module-tag long
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { createUsageMeter } from '#domain/catalog/commands/usage-meters/create-usage-meter.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';
import { effort } from '../../../support/effort.ts';
import {
  aCreditGrant,
  aCustomer,
  aPaymentMethod,
  aSubscription,
  aTestClock,
} from '../../../support/factories.ts';
import { expectBooksToAgree, expectMoneyToAgree, setCredit } from '../../../support/money.ts';
import '../../../support/properties.ts';
import { statementsOf } from '../../../support/tables/statements.ts';
import { aTenant } from '../../../support/tenant.ts';
import { testAlone } from '../../../support/test.ts';
import { advance, at, fresh, told } from '../../../support/timeline.ts';
import { owedOf, use } from '../../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations');

/** A customer of the mix, as it is before time moves. */
const person = fc.record({
  token: fc.constantFrom(
    'sandbox_success',
    'sandbox_success',
    'sandbox_decline_then_success',
    'sandbox_decline_insufficient_funds',
    'sandbox_decline_hard',
    null,
  ),
  unitPrice: fc.constantFrom(500, 1_000, 2_500),
  used: fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 3 }),
  credit: fc.constantFrom(0, 700, 5_000),
  taxRate: fc.constantFrom(null, '19', '7.5'),
  hasGrant: fc.boolean(),
});
type Person = typeof person extends fc.Arbitrary<infer T> ? T : never;

const people = fc.array(person, { minLength: 2, maxLength: 7 });
const runs = Math.max(2, Math.round(3 * effort));

interface Member {
  readonly customerId: string;
  readonly id: string;
}

/** Adds the people to a tenant, whose meter is free of other usage; `clockOf` names the clock of each of them. */
async function addPeople(
  session: Session,
  all: readonly Person[],
  clockOf: () => Promise<string>,
): Promise<Member[]> {
  const slug = `calls-${crypto.randomUUID()}`;
  const meter = await createUsageMeter(fresh(session), {
    usageMeter: { name: 'API calls', slug, aggregationType: 'sum' },
    price: { unitPrice: 3, usageEventsPerUnit: 10 },
  });
  const grant = await aCreditGrant(session, meter.id);
  const members: Member[] = [];
  for (const { token, unitPrice, used, credit, taxRate, hasGrant } of all) {
    const customer = await aCustomer(session, { testClockId: await clockOf() });
    const method = token && (await aPaymentMethod(session, customer.id));
    const { id } = await aSubscription(session, {
      customerId: customer.id,
      unitPrice,
      ...(hasGrant && { featureIds: [grant.id] }),
      ...(method && { defaultPaymentMethodId: method.id }),
    });
    if (token && token !== 'sandbox_success')
      await aPaymentMethod(session, customer.id, { token, default: true });
    if (taxRate)
      await updateCustomer(fresh(session), {
        externalId: customer.externalId,
        customer: { taxType: 'vat', taxRatePercentage: taxRate },
      } as never);
    // Who has never been billed has no currency yet.
    if (token && credit > 0) await setCredit(session, customer.id, credit);
    if (used.length > 0) await use(session, { id, slug }, ...used);
    members.push({ customerId: customer.id, id });
  }
  return members;
}

/** The records of a member that depend on time, without ids. */
async function recordsOf(session: Session, { customerId, id }: Member) {
  const { em } = fresh(session);
  const customer = await em.findOneOrFail(Customer, customerId);
  const { status, currentBillingPeriodStart } = await em.findOneOrFail(Subscription, id);
  const invoices = await em.find(Invoice, { customer: customerId });
  const lines = await em.execute<{ text: string }[]>(
    `select concat_ws(' ', right(i.invoice_number, 5), l.type, l.description, l.quantity, l.price, l.amount) as text
     from invoice_line_item l join invoice i on i.id = l.invoice_id where i.customer_id = ? order by 1`,
    [customerId],
  );
  const events = await em.execute<{ type: string; at: Date }[]>(
    `select type, occurred_at as at from event where customer_id = ? and occurred_at > ?
     order by occurred_at, type, object_version`,
    [customerId, at('2026-02-01')],
  );
  return {
    status,
    since: told(currentBillingPeriodStart),
    credit: customer.creditBalance,
    invoices: invoices
      .map((one) =>
        [
          one.invoiceNumber.slice(-5),
          one.status,
          told(one.invoiceDate),
          one.subtotal,
          one.taxAmount,
          one.total,
          one.creditApplied,
        ].join(' '),
      )
      .toSorted(),
    lines: lines.map(({ text }) => text),
    events: events.map(({ type, at }) => `${new Date(at).toISOString()} ${type}`),
    owed: (await owedOf(session, { id })).length,
  };
}

describe('boundaries and runs of several customers at the same instant', () => {
  test('have the invoices, events and balances of the same ones by themselves', async ({
    database,
    session,
  }) => {
    const { session: other } = await aTenant(database.orm.em);
    await fc.assert(
      fc.asyncProperty(people, async (all) => {
        const alone = await addPeople(session, all, async () => (await aTestClock(session)).id);
        const { id: shared } = await aTestClock(other);
        const together = await addPeople(other, all, async () => shared);
        for (const day of ['2026-03-01', '2026-05-03']) {
          for (const { customerId } of alone) {
            const { testClockId } = await fresh(session).em.findOneOrFail(Customer, customerId);
            await advance(session, testClockId ?? '', day);
          }
          await advance(other, shared, day);
        }
        for (const [place, member] of alone.entries()) {
          expect(await recordsOf(other, together[place] as Member)).toEqual(
            await recordsOf(session, member),
          );
        }
      }),
      { numRuns: runs },
    );
    for (const tenant of [session, other]) {
      await expectMoneyToAgree(tenant);
      await expectBooksToAgree(tenant);
    }
  });

  test('share their statements, and one that fails is named and delays no other', async ({
    database,
    session,
  }) => {
    const then = fresh(session, at('2026-01-31'));
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) {
      const customer = await aCustomer(then);
      await aPaymentMethod(then, customer.id);
      ids.push((await aSubscription(then, { customerId: customer.id })).id);
    }
    const em = () => database.orm.em.fork();
    // The first time finds out the types of values.
    await transitionDueSubscriptions(em(), at('2026-02-28'), 'batch');
    const statements = await statementsOf(() =>
      transitionDueSubscriptions(em(), at('2026-03-31'), 'batch'),
    );
    expect(statements.length).toBeLessThan(3 * ids.length);
    const [broken = ''] = ids;
    // A period that overlaps the next one is in its way.
    const { em: breaking } = fresh(session);
    const startDate = at('2026-04-30T10:00:01.000Z');
    const { customerId } = await breaking.findOneOrFail(Subscription, broken);
    const endDate = new Date(startDate.getTime() + 1_000);
    breaking.create(BillingPeriod, { subscription: broken, customerId, startDate, endDate });
    await breaking.flush();
    const sweep = transitionDueSubscriptions(em(), at('2026-04-30'), 'batch');
    await expect(sweep).rejects.toThrow(new RegExp(`^1 failed: ${broken}: `));
    const { em: reading } = fresh(session);
    const crossed = await reading.find(Subscription, { id: { $in: ids } });
    for (const { id, currentBillingPeriodStart } of crossed) {
      expect(told(currentBillingPeriodStart)).toBe(id === broken ? '2026-03-31' : '2026-04-30');
    }
  });
});
