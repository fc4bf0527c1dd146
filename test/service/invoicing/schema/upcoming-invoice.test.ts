// @module-tag long
import fc from 'fast-check';
import pg from 'pg';
import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { updateSubscription } from '#domain/subscriptions/commands/subscriptions/update-subscription.ts';
import { follow } from '../../../support/answers/follow.ts';
import { aPriceOf, fresh } from '../../../support/factories.ts';
import { lockWaits } from '../../../support/servers/lock-waits.ts';
import { graphqlOf, test } from '../../../support/test.ts';
import { advance } from '../../../support/timeline.ts';
import { aMeteredSubscription, grant, use } from '../../../support/usage.ts';

const selection = `purpose invoiceDate billingPeriodStartDate billingPeriodEndDate currency subtotal taxType taxRatePercentage
  taxInclusive taxAmount total creditApplied lines { type description quantity price amount priceId }`;

const upcoming = `query($id: ID!) { upcomingInvoice(subscription: $id) { ${selection} amountDue } }`;

const written = `query($id: ID!) { invoice(id: $id) { ${selection.replace('lines', 'lines: lineItems')} } }`;

/** The invoices of a subscription that bill, the oldest first. */
const invoicesOf = (session: Session, subscription: string) =>
  fresh(session).em.find(
    Invoice,
    { subscription, purpose: { $ne: 'usage_correction' } },
    { orderBy: { createdAt: 'asc', position: 'asc' } },
  );

/** Changes the quantity or the plan of a subscription. */
async function adjust(
  session: Session,
  id: string,
  {
    unitPrice,
    quantity,
    timing,
  }: {
    unitPrice: number;
    quantity: number;
    timing: 'auto';
  },
) {
  const price = await aPriceOf(session, { unitPrice });
  const newSubscriptionItems = [{ priceId: price, quantity }];
  await adjustSubscription(fresh(session), { id, adjustment: { timing, newSubscriptionItems } });
}

test('the upcoming invoice is the invoice that follows, with usage, credits, tax, balance and adjustments', async ({
  session,
  graphql,
}) => {
  const plans = fc.record({
    credits: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
    uses: fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 4 }),
    grants: fc.option(fc.integer({ min: 1, max: 100 })),
    tax: fc.option(
      fc.record({ taxRatePercentage: fc.constantFrom('19', '8.875'), taxInclusive: fc.boolean() }),
    ),
    balance: fc.constantFrom(0, 150, 5_000),
    adjustment: fc.option(
      fc.record({
        // A smaller plan follows at the end of the period, a larger one at once.
        unitPrice: fc.constantFrom(300, 2_500),
        quantity: fc.integer({ min: 1, max: 3 }),
        timing: fc.constant('auto' as const),
      }),
    ),
    cancel: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(plans, async ({ credits, uses, grants, tax, balance, adjustment, cancel }) => {
      const user = await aMeteredSubscription(session, {
        from: '2026-01-01',
        price: 1_000,
        unitPrice: 70,
        usageEventsPerUnit: 3,
        ...(credits !== undefined && { credits }),
      });
      const { id, clockId, customerId } = user;
      await advance(session, clockId, '2026-01-10');
      const { externalId } = await fresh(session).em.findOneOrFail(Customer, customerId);
      if (tax)
        await updateCustomer(fresh(session), { externalId, customer: { taxType: 'vat', ...tax } });
      const { em } = fresh(session);
      await em.execute('update customer set credit_balance = ? where id = ?', [
        balance,
        customerId,
      ]);
      if (grants !== null) await grant(session, user, grants);
      if (uses.length > 0) await use(session, user, ...uses);
      if (adjustment && !cancel) await adjust(session, id, adjustment);
      if (cancel) {
        await cancelSubscription(fresh(session), {
          id,
          cancellation: { timing: 'at_end_of_current_billing_period' },
        });
      }
      const known = (await invoicesOf(session, id)).length;
      const { data, errors } = await graphql(upcoming, { id });
      expect(errors).toBeUndefined();
      // Nothing of it is stored.
      expect((await invoicesOf(session, id)).length).toBe(known);
      await advance(session, clockId, '2026-02-20');
      const following = (await invoicesOf(session, id))[known];
      if (!following) {
        expect(data.upcomingInvoice).toBeNull();
        return;
      }
      const { amountDue, ...shown } = data.upcomingInvoice;
      expect(shown).toEqual((await graphql(written, { id: following.id })).data.invoice);
      expect(amountDue).toBe(following.total - following.creditApplied);
    }),
    { numRuns: 6 },
  );
});

test('the upcoming invoice of a trial is that of the first paid period', async ({
  session,
  graphql,
}) => {
  const { id, clockId } = await aMeteredSubscription(session, {
    from: '2026-01-01',
    price: 900,
    trialEnd: new Date('2026-01-08T10:00:00Z'),
  });
  const { data } = await graphql(upcoming, { id });
  expect(data.upcomingInvoice.total).toBe(900);
  await advance(session, clockId, '2026-02-20');
  const [first] = await invoicesOf(session, id);
  expect((await graphql(written, { id: first?.id })).data.invoice).toMatchObject({
    invoiceDate: data.upcomingInvoice.invoiceDate,
    billingPeriodStartDate: data.upcomingInvoice.billingPeriodStartDate,
    total: 900,
  });
});

test('a subscription that is never charged has none, and an unknown one is not found', async ({
  session,
  graphql,
}) => {
  const { id } = await aMeteredSubscription(session, { doNotCharge: true });
  expect((await graphql(upcoming, { id })).data.upcomingInvoice).toBeNull();
  const { errors } = await graphql(upcoming, { id: 'sub_unknown' });
  expect(errors[0].extensions.code).toBe('NOT_FOUND');
});

test('a customer token reads that of its own subscriptions only', async ({
  session,
  graphql,
  gateway,
}) => {
  const [own, other] = [await aMeteredSubscription(session), await aMeteredSubscription(session)];
  await use(session, own, 20);
  const { data } = await graphql(
    'mutation($customer: ID!) { createCustomerToken(customer: $customer) { token } }',
    { customer: own.customerId },
  );
  const browser = graphqlOf(gateway, data.createCustomerToken.token);
  const found = await browser(upcoming, { id: own.id });
  expect(found).toEqual(await graphql(upcoming, { id: own.id }));
  expect(found.data.upcomingInvoice.lines).toHaveLength(2);
  expect((await browser(upcoming, { id: other.id })).errors[0].extensions.code).toBe('NOT_FOUND');
});

test('it is pushed when usage, a period or anything else moves it', async ({
  session,
  gateway,
  tenant,
}) => {
  const user = await aMeteredSubscription(session, {
    from: '2026-01-01',
    unitPrice: 100,
    usageEventsPerUnit: 1,
  });
  const query =
    'subscription($id: ID!) { upcomingInvoiceChanged(subscription: $id) { total invoiceDate } }';
  const stream = await follow(gateway, tenant.key, query, { id: user.id });
  const next = async () => (await stream.next()).data.upcomingInvoiceChanged;
  const first = await next();
  await use(session, user, 3);
  expect(await next()).toEqual({ ...first, total: first.total + 300 });
  await use(session, user, 1, 1);
  expect(await next()).toEqual({ ...first, total: first.total + 500 });
  const [item] = await fresh(session).em.find(SubscriptionItem, { subscription: user.id });
  expect(item?.unitPrice).toBe(1_000);
  await advance(session, user.clockId, '2026-02-02');
  let last = await next();
  while (last?.total !== first.total) last = await next();
  expect(last.invoiceDate).toBeGreaterThan(first.invoiceDate);
  stream.leave();
});

test('usage is accepted and adjustments are made while an upcoming invoice is computed', async ({
  session,
  graphql,
  database,
}) => {
  const user = await aMeteredSubscription(session, { from: '2026-01-01', credits: 10 });
  await use(session, user, 20);
  const outside = new pg.Client({ connectionString: database.databaseUrl });
  await outside.connect();
  // The computation waits before it writes its first line.
  await outside.query('begin');
  await outside.query('lock table public_rehearsal.invoice_line_item in access exclusive mode');
  const computed = graphql(upcoming, { id: user.id });
  const waiting = async () => {
    const { rows } = await outside.query(lockWaits);
    return rows[0]?.pid;
  };
  await expect.poll(waiting).toBeDefined();
  const { rows: locks } = await outside.query(
    `select distinct c.relname from pg_locks l join pg_class c on c.oid = l.relation
     where l.pid = $1 and l.mode = 'RowExclusiveLock' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
    [await waiting()],
  );
  // Of shared rows it has written none that usage needs.
  expect(locks.map(({ relname }) => relname).filter((name) => !isUnlocked(name))).toEqual([]);

  await use(session, user, 5);
  await updateSubscription(fresh(session), { id: user.id, subscription: { name: 'Gold' } });
  await adjust(session, user.id, { unitPrice: 2_500, quantity: 2, timing: 'auto' });
  expect(await waiting()).toBeDefined();
  await outside.query('rollback');
  await outside.end();
  const { data, errors } = await computed;
  expect(errors).toBeUndefined();
  // It shows the subscription as it was when it began.
  expect(data.upcomingInvoice.lines.map(({ amount }: { amount: number }) => amount)).toEqual(
    expect.arrayContaining([1_000]),
  );
});

/** Tables in which a computation only inserts rows of its own. */
const isUnlocked = (name: string) =>
  ['event', 'cause', 'resource_claim'].includes(name) || name.startsWith('usage_event');
