import { createClient } from 'graphql-ws';
import { describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import { startServer } from '#server/server.ts';
import {
  aCustomer,
  aDraft,
  anOpenInvoice,
  aPaidInvoice,
  aPaymentMethod,
  aSubscription,
} from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test as base, type graphqlOf } from '../../../support/test.ts';

const test = base
  .extend('url', { scope: 'file' }, async ({ gateway, hub }, { onCleanup }) => {
    const server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
    onCleanup(() => server[Symbol.asyncDispose]());
    return `${server.url.replace('http', 'ws')}/graphql`;
  })
  .extend('client', ({ url, tenant }, { onCleanup }) => {
    const client = createClient({
      url,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: tenant.key },
    });
    onCleanup(() => client.dispose());
    return client;
  });

type Fields = Record<string, unknown>;

/** The values of a live query, in order; `until` waits for a state, however many steps lead there. */
function watch(client: ReturnType<typeof createClient>, query: string, id: string) {
  const messages = client.iterate<Record<string, Fields>>({ query, variables: { id } });
  const next = async () => {
    const { value } = await messages.next();
    expect(value?.errors).toBeUndefined();
    return Object.values(value?.data ?? {})[0] as Fields;
  };
  return {
    /** The first value after the change, which is repeated until a subscriber sees it. */
    async first(change: () => Promise<unknown>) {
      const first = next();
      const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
      let shown: Fields | undefined;
      void first.then((fields) => (shown = fields));
      while (!shown) {
        await change();
        await pause();
      }
      return first;
    },
    async until(state: Fields) {
      for (;;) {
        const shown = await next();
        if (Object.entries(state).every(([name, value]) => shown[name] === value)) return shown;
      }
    },
  };
}

describe('live', () => {
  test('invoiceChanged shows a draft on its way to being paid and refunded', async ({
    client,
    api,
    session,
  }) => {
    const { id, customerId } = await aDraft(session);
    await aPaymentMethod(session, customerId);
    const query = `subscription($id: ID!) {
      invoiceChanged(id: $id) { id status memo total amountPaid paymentsPage { nodes { status refundedAmount } } }
    }`;
    const live = watch(client, query, id);
    let count = 0;
    const shown = await live.first(() =>
      api('PUT', `/invoices/${id}`, { invoice: { memo: `Memo ${++count}` } }),
    );
    expect(shown).toMatchObject({ id, status: 'draft', memo: expect.stringMatching(/^Memo/) });
    await api('POST', `/invoices/${id}/finalize`);
    expect(await live.until({ status: 'open' })).toMatchObject({
      amountPaid: 0,
      paymentsPage: { nodes: [] },
    });
    await api('POST', `/invoices/${id}/pay`, {});
    expect(await live.until({ status: 'paid' })).toMatchObject({
      total: 1_000,
      amountPaid: 1_000,
      paymentsPage: { nodes: [{ status: 'succeeded', refundedAmount: 0 }] },
    });
    const [payment] = (await api('GET', '/payments')).body.data;
    await api('POST', `/payments/${payment.id}/refund`, { partialAmount: 250 });
    expect(await live.until({ status: 'partially_refunded' })).toMatchObject({
      amountPaid: 750,
      paymentsPage: { nodes: [{ status: 'succeeded', refundedAmount: 250 }] },
    });
  });

  test('paymentChanged shows money going back', async ({ client, api, session }) => {
    await aPaidInvoice(session);
    const [{ id }] = (await api('GET', '/payments')).body.data;
    const query = `subscription($id: ID!) {
      paymentChanged(id: $id) { id status refunded refundedAmount refundsPage { nodes { amount status } } }
    }`;
    const live = watch(client, query, id);
    const shown = await live.first(() =>
      api('POST', `/payments/${id}/refund`, { partialAmount: 1 }),
    );
    expect(shown).toMatchObject({ id, status: 'succeeded', refunded: false });
    await api('POST', `/payments/${id}/refund`, {});
    const last = await live.until({ status: 'refunded' });
    expect(last).toMatchObject({ refunded: true, refundedAmount: 1_000 });
    const { nodes: refunds } = last.refundsPage as { nodes: { amount: number; status: string }[] };
    expect(refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(1_000);
    expect(new Set(refunds.map(({ status }) => status))).toEqual(new Set(['succeeded']));
  });

  test.for(['invoiceChanged', 'paymentChanged'])(
    '%s is refused to strangers',
    async (field, { gateway, session, database, api }) => {
      const { id: invoice } = await aPaidInvoice(session);
      const [{ id: payment }] = (await api('GET', '/payments')).body.data;
      const id = field === 'invoiceChanged' ? invoice : payment;
      const keys = {
        NOT_FOUND: (await aTenant(database.orm.em)).key,
        FORBIDDEN: await aKey(session, 'publishable'),
      };
      for (const [code, authorization] of Object.entries(keys)) {
        const response = await gateway.fetch('http://test/graphql', {
          method: 'POST',
          headers: {
            authorization,
            'content-type': 'application/json',
            accept: 'text/event-stream',
          },
          body: JSON.stringify({ query: `subscription { ${field}(id: "${id}") { id } }` }),
        });
        expect(await response.text()).toContain(code);
      }
    },
  );
});

describe('lists', () => {
  /** The ids in a list, and how many there are by its own count. */
  const listed = async (
    graphql: ReturnType<typeof graphqlOf>,
    field: string,
    filter: Fields,
  ): Promise<string[]> => {
    const type = `${field.replace(/^./, (letter) => letter.toUpperCase()).replace(/s$/, '')}Where`;
    const where = Object.fromEntries(
      Object.entries(filter).map(([name, is]) => [name, is === null ? null : { is }]),
    );
    const { data, errors } = await graphql(
      `query($where: ${type}) { ${field}(first: 100, where: $where) { nodes { id } totalCount } }`,
      { where },
    );
    expect(errors).toBeUndefined();
    const ids = data[field].nodes.map(({ id }: { id: string }) => id);
    expect(data[field].totalCount).toBe(ids.length);
    return ids.sort();
  };

  test('invoices and their lines by what the conditions state', async ({ graphql, session }) => {
    const draft = await aDraft(session);
    const open = await anOpenInvoice(session);
    const paid = await aPaidInvoice(session);
    const { id: customer } = await aCustomer(session);
    await aPaymentMethod(session, customer);
    const { id: subscription } = await aSubscription(session, { customerId: customer });
    const invoices = (filter: Fields) => listed(graphql, 'invoices', filter);
    const [billed] = await invoices({ subscription });
    const all = [draft.id, open.id, paid.id, billed].sort();
    expect(await invoices({})).toEqual(all);
    expect(await invoices({ status: null })).toEqual(all);
    expect(await invoices({ customer })).toEqual([billed]);
    expect(await invoices({ type: 'subscription' })).toEqual([billed]);
    expect(await invoices({ status: 'draft' })).toEqual([draft.id]);
    expect(await invoices({ status: 'paid' })).toEqual([paid.id, billed].sort());
    expect(await invoices({ status: 'paid', type: 'standalone' })).toEqual([paid.id]);
    expect(await invoices({ invoiceNumber: open.invoiceNumber })).toEqual([open.id]);
    expect(await invoices({ customer: 'cust_none' })).toEqual([]);
    const lines = await listed(graphql, 'invoiceLineItems', { invoice: open.id });
    expect(lines).toEqual([expect.stringMatching(/^inv_li_/)]);
    expect(await listed(graphql, 'invoiceLineItems', { type: 'usage' })).toEqual([]);
  });

  test('payments and refunds by what the conditions state', async ({ graphql, session, api }) => {
    const paid = await aPaidInvoice(session);
    const failed = await aPaidInvoice(session, { token: 'sandbox_decline_expired_card' });
    const payments = (filter: Fields) => listed(graphql, 'payments', filter);
    const [good] = await payments({ invoice: paid.id });
    const [bad] = await payments({ customer: failed.customerId });
    expect(await payments({})).toEqual([good, bad].sort());
    expect(await payments({ status: 'succeeded' })).toEqual([good]);
    expect(await payments({ status: 'failed' })).toEqual([bad]);
    expect(await payments({ status: 'failed', invoice: paid.id })).toEqual([]);
    await api('POST', `/payments/${good}/refund`, { partialAmount: 10 });
    const refunds = (filter: Fields) => listed(graphql, 'refunds', filter);
    expect(await refunds({ payment: good, status: 'succeeded' })).toHaveLength(1);
    expect(await refunds({ customer: failed.customerId })).toEqual([]);
  });

  test('a page continues where the one before it ended, both ways', async ({
    graphql,
    session,
  }) => {
    const { id: customerId } = await aCustomer(session);
    for (let count = 0; count < 5; count++) await aDraft(session, { customerId });
    const page = async (args: string) =>
      (
        await graphql(
          `{ invoices(${args}) { nodes { id } pageInfo { hasNextPage endCursor } totalCount } }`,
        )
      ).data.invoices;
    const ids = (nodes: { id: string }[]) => nodes.map(({ id }) => id);
    const all = ids((await page('first: 5')).nodes);
    const first = await page('first: 2');
    const second = await page(`first: 2, after: "${first.pageInfo.endCursor}"`);
    const third = await page(`first: 2, after: "${second.pageInfo.endCursor}"`);
    expect([first, second, third].flatMap(({ nodes }) => ids(nodes))).toEqual(all);
    expect(third).toMatchObject({ pageInfo: { hasNextPage: false }, totalCount: 5 });
    const backwards = await page('first: 5, orderBy: created_at_desc');
    expect(ids(backwards.nodes)).toEqual(all.toReversed());
  });
});

test('an invoice of more than 1,000 lines shows the first ones in a list, and all of them in pages', async ({
  graphql,
  session,
}) => {
  const { id } = await aDraft(session, { lines: [{ quantity: 1, price: 1 }] });
  await session.em.getConnection().execute(
    `insert into invoice_line_item
     select (jsonb_populate_record(line, jsonb_build_object('id', 'li_' || place, 'position', line.position + place,
       'description', place::text))).*
     from invoice_line_item line, generate_series(1, 1000) place where line.invoice_id = ?`,
    [id],
  );
  const { data, errors } = await graphql(
    `query($id: ID!) { invoice(id: $id) {
      lineItems { description }
      lineItemsPage(last: 1) { totalCount nodes { description } }
    } }`,
    { id },
  );
  expect(errors).toBeUndefined();
  const { lineItems, lineItemsPage } = data.invoice;
  expect(lineItems).toHaveLength(1_000);
  expect(lineItems.at(-1)).toEqual({ description: '999' });
  expect(lineItemsPage).toEqual({ totalCount: 1_001, nodes: [{ description: '1000' }] });
});

test('the database refuses a billing period and a scheduled adjustment of more than 100 items', async ({
  session,
}) => {
  const { id } = await aSubscription(session, { doNotCharge: true });
  const db = session.em.getConnection();
  const copies = (most: number) =>
    db.execute(
      `insert into billing_period_item
       select (jsonb_populate_record(item, jsonb_build_object('id', gen_random_uuid(), 'position', place))).*
       from billing_period_item item join billing_period period on period.id = item.billing_period_id,
         generate_series(1, ?) place where period.subscription_id = ?`,
      [most, id],
    );
  await expect(copies(100)).rejects.toThrow('billing_period_item_most');
  await copies(99);
  await expect(copies(1)).rejects.toThrow('billing_period_item_period_unique');
  const scheduled = (items: number) =>
    db.execute(
      `update subscription set scheduled_adjustment_at = now(), scheduled_adjustment =
         jsonb_build_object('items', (select jsonb_agg(place) from generate_series(1, ?) place)) where id = ?`,
      [items, id],
    );
  await expect(scheduled(101)).rejects.toThrow('subscription_adjustment_most');
  await scheduled(100);
});
