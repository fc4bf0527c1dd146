import { describe, expect } from 'vitest';
import { createFeature } from '#domain/catalog/commands/features/create-feature.ts';
import type { Session } from '#domain/kernel/session.ts';
import { addFeatureToSubscription } from '#domain/subscriptions/commands/subscriptions/add-feature-to-subscription.ts';
import {
  aCustomer,
  aPaymentMethod,
  aResource,
  aSubscription,
  aTestClock,
  aToggle,
  fresh,
} from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import { aMeteredSubscription, use } from '../../../support/usage.ts';

/** Every table whose rows are counted, with the rows that the tenant has in it by either way of counting. */
async function rowsOf({ em, pricingModelId }: Session) {
  const tables = await em.fork().execute<{ name: string }[]>(
    `select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where t.tgname = 'count_added' order by 1`,
  );
  const counts: Record<string, readonly [counted: number, there: number]> = {};
  for (const { name } of tables) {
    const [row] = await em.fork().execute<[{ counted: number; there: number }]>(
      `select (select coalesce(sum(rows), 0)::int from row_count where relation = ? and pricing_model_id = ?) as counted,
         (select count(*)::int from "${name}" where pricing_model_id = ?) as there`,
      [name, pricingModelId, pricingModelId],
    );
    counts[name] = [row.counted, row.there];
  }
  return counts;
}

describe('a test clock that is deleted', () => {
  test('takes its customers and all that they have along, others keep what they have, and lists stay exact', async ({
    api,
    session,
  }) => {
    const toggle = await aToggle(session);
    const bystander = await aCustomer(session);
    await aPaymentMethod(session, bystander.id);
    await aSubscription(session, { customerId: bystander.id, featureIds: [toggle.id] });
    const plans = await rowsOf(session);
    const clock = await aTestClock(session);
    for (const archived of [false, true]) {
      const customer = await aCustomer(session, { testClockId: clock.id });
      const { id: backupPaymentMethodId } = await aPaymentMethod(session, customer.id);
      const { id: defaultPaymentMethodId } = await aPaymentMethod(session, customer.id);
      await aSubscription(session, {
        customerId: customer.id,
        featureIds: [toggle.id],
        defaultPaymentMethodId,
        backupPaymentMethodId,
      });
      if (archived) {
        const path = `/customers/${customer.externalId}/archive`;
        expect(await api('POST', path)).toMatchObject({ status: 200 });
      }
    }
    await api('POST', `/test-clocks/${clock.id}/advance`, {
      frozenTime: '2026-03-31T10:00:00Z',
    });
    expect((await rowsOf(session)).billing_period?.[1]).toBeGreaterThan(
      (plans.billing_period?.[1] ?? 0) + 4,
    );

    expect(await api('DELETE', `/test-clocks/${clock.id}`)).toMatchObject({ status: 200 });
    const left = await rowsOf(session);
    for (const [table, [counted, there]] of Object.entries(left)) {
      expect({ table, counted }).toEqual({ table, counted: there });
      // The catalog stays: it belongs to no clock.
      if (['product', 'price', 'product_feature'].includes(table)) continue;
      expect({ table, there }).toEqual({ table, there: plans[table]?.[1] });
    }
    const [{ items }] = await session.em.execute<[{ items: number }]>(
      `select count(*)::int as items from billing_period_item i
       where not exists (select from billing_period p where p.id = i.billing_period_id)`,
    );
    expect(items).toBe(0);
    const { body } = await api('GET', '/customers?limit=100');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([bystander.id]);
  });

  test('tells of each customer and of the clock, and the feed keeps what happened before', async ({
    api,
    session,
  }) => {
    const clock = await aTestClock(session);
    const customers = [];
    for (let n = 0; n < 2; n++) {
      customers.push((await aCustomer(session, { testClockId: clock.id })).id);
    }
    const feed = async () => (await api('GET', '/events?limit=100')).body.data;
    const before = await feed();
    await api('DELETE', `/test-clocks/${clock.id}`);
    const after = await feed();
    expect(after.slice(0, before.length)).toEqual(before);
    const told = after
      .slice(before.length)
      .map(({ type, objectId }: Record<string, string>) => `${type} ${objectId}`);
    expect(told.toSorted()).toEqual(
      [
        ...customers.map((id) => `customer.deleted ${id}`),
        `test_clock.deleted ${clock.id}`,
      ].toSorted(),
    );
  });

  test('takes usage, credits, ledgers, claims and reservations along, and lists stay exact', async ({
    api,
    session,
  }) => {
    const bystander = await aMeteredSubscription(session, { credits: 100 });
    await use(session, bystander, 7);
    const resource = await aResource(session);
    const seats = await createFeature(fresh(session), {
      feature: {
        type: 'resource',
        name: 'Seats',
        description: 'Five',
        slug: `${resource.slug}-five`,
        amount: 5,
        resourceId: resource.id,
      },
    });
    const before = await everyRow(session);
    const user = await aMeteredSubscription(session, { credits: 100 });
    await use(session, user, 30, 200);
    await addFeatureToSubscription(fresh(session), { id: user.id, featureId: seats.id });
    const seat = { subscriptionId: user.id, resourceSlug: resource.slug, quantity: 1 };
    await api('POST', `/resource-claims/${user.id}/claim`, seat);
    // The overage is billed with the second period, and the third one has credits that are reserved.
    await api('POST', `/test-clocks/${user.clockId}/advance`, {
      frozenTime: '2026-03-05T10:00:00Z',
    });
    const reserved = await api('POST', '/reservations', {
      ...seat,
      usageMeterSlug: user.slug,
      usageAmount: 50,
    });
    expect(reserved).toMatchObject({ status: 200 });
    expect(await api('DELETE', `/test-clocks/${user.clockId}`)).toMatchObject({ status: 200 });
    for (const [counted, there] of Object.values(await rowsOf(session)))
      expect(counted).toBe(there);
    const after = await everyRow(session);
    for (const table of [
      'usage_event',
      'usage_event_key',
      'usage_meter_balance',
      'usage_total',
      'usage_hour',
      'usage_credit',
      'usage_credit_application',
      'owed_usage',
      'ledger_transaction',
      'resource_claim',
      'resource_claim_count',
      'reservation',
      'invoice_line_item',
    ]) {
      expect(after[table], table).toBe(before[table]);
    }
  });
});

/** How many rows each table has. */
async function everyRow({ em }: Session) {
  const rows = await em.fork().execute<{ name: string; rows: number }[]>(
    `select relname as name, (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', relname), false, true, '')))[1]::text::int as rows
     from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  );
  return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]));
}
