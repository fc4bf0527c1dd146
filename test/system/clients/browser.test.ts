import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { inBrowser, openBrowser } from '../../support/browser.ts';
import { aSubscription, aTestClock, aUsageMeter, fresh } from '../../support/factories.ts';
import { advance, at } from '../../support/timeline.ts';
import { use } from '../../support/usage.ts';
import { buildPages, servePages } from './build-pages.ts';
import type { Settings } from './page/settings.ts';
import { test as base, serve } from './service.ts';

type Graphql = (query: string, variables?: Record<string, unknown>) => Promise<Json>;
// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the test is about
type Json = any;

/** The origins of pages: two of the organization's own, and a foreign one. */
const names = { own: 'app', customers: 'shop', foreign: 'other' } as const;

const test = base
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    const browser = await openBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('pages', { scope: 'file' }, async ({ folder }, { onCleanup }) => {
    const pages = await servePages(await buildPages(folder));
    onCleanup(pages.close);
    return pages;
  })
  .extend('service', { scope: 'file' }, async ({ database, hub, pages }, { onCleanup }) => {
    const corsOrigins = [pages.origin(names.own), pages.origin(names.customers)];
    const server = await serve(database.orm, hub, { corsOrigins });
    onCleanup(() => server[Symbol.asyncDispose]());
    return `${server.url}`;
  })
  .extend('open', async ({ browser, pages, service }, { onCleanup }) => {
    const context = await browser.newContext();
    onCleanup(() => context.close());
    /** Opens a page on an origin, with settings for it. */
    return async (
      origin: keyof typeof names,
      page: 'dashboard' | 'balance',
      settings: Partial<Settings>,
    ): Promise<Page> => {
      const opened = await context.newPage();
      const hash = encodeURIComponent(JSON.stringify({ url: service, ...settings }));
      await opened.goto(`${pages.origin(names[origin])}/${page}/#${hash}`);
      return opened;
    };
  })
  .extend('act', ({ graphql }): Graphql => {
    /** Executes one operation that must succeed. */
    return async (query, variables) => {
      const { data, errors } = await graphql(query, variables);
      expect(errors, JSON.stringify(errors)).toBeUndefined();
      return data;
    };
  });

const lines = (page: Page, list: string) => page.locator(`#${list} > li`).allTextContents();
const bars = (page: Page) => page.locator('#usage title').allTextContents();

async function aNamedCustomer(act: Graphql, name: string, testClockId: string): Promise<string> {
  const [first = ''] = name.toLowerCase().split(' ');
  const { createCustomer } = await act(
    'mutation($customer: CreateCustomerInput!) { createCustomer(customer: $customer) { customer { id } } }',
    { customer: { name, email: `${first}@example.com`, externalId: first, testClockId } },
  );
  return createCustomer.customer.id;
}

async function aSentInvoice(act: Graphql, customerId: string, price: number, dueDate: string) {
  const {
    createInvoice: { invoice },
  } = await act(
    `mutation($invoice: CreateInvoiceInput!, $lines: [InvoiceLineItemInput!]!) {
      createInvoice(invoice: $invoice, invoiceLineItems: $lines) { invoice { id } }
    }`,
    {
      invoice: { customerId, dueDate: at(dueDate).getTime() },
      lines: [{ quantity: 1, price, description: 'Consulting' }],
    },
  );
  await act('mutation($id: ID!) { finalizeInvoice(id: $id) { invoice { status } } }', invoice);
  return invoice.id as string;
}

/** Three customers on a clock that shows March 17, with usage by model and invoices due in two months. */
async function aBusiness(session: Session, act: Graphql) {
  const clock = await aTestClock(session, at('2026-02-18'));
  const grace = await aNamedCustomer(act, 'Grace Hopper', clock.id);
  const ada = await aNamedCustomer(act, 'Ada Lovelace', clock.id);
  const alan = await aNamedCustomer(act, 'Alan Turing', clock.id);
  const meter = await aUsageMeter(session, { name: 'Tokens' });
  const { id } = await aSubscription(fresh(session), { customerId: grace, doNotCharge: true });
  await advance(session, clock.id, '2026-03-17');
  const user = { id, slug: meter.slug };
  const used = (date: string, model: string, amount: string) => ({
    amount,
    usageDate: at(date),
    properties: { model },
  });
  await use(session, user, used('2026-02-20', 'small', '3'), used('2026-03-16', 'large', '5'));
  const invoiceId = await aSentInvoice(act, grace, 10_000, '2026-03-03');
  await aSentInvoice(act, ada, 30_000, '2026-03-10');
  await aSentInvoice(act, alan, 20_000, '2026-02-27');
  await aSentInvoice(act, alan, 20_000, '2026-03-19');
  const now = at('2026-03-17').getTime();
  return { clock, grace, ada, user, used, invoiceId, settings: { now, usageMeter: meter.id } };
}

/** A secret key that only reads. */
async function aReadingKey(act: Graphql): Promise<string> {
  const { createApiKey } = await act(
    'mutation { createApiKey(apiKey: { name: "Dashboard", type: secret, scopes: [read] }) { token } }',
  );
  return createApiKey.token;
}

inBrowser('in a browser, a page of another origin', () => {
  test.for(['WebSocket', 'SSE'] as const)(
    'finds a customer, lists overdue invoices, draws usage by property and follows all of it over %s',
    async (transport, { act, session, open }) => {
      const { clock, ada, user, used, settings } = await aBusiness(session, act);
      const page = await open('own', 'dashboard', {
        ...settings,
        transport,
        token: await aReadingKey(act),
      });
      await page.evaluate('window.loaded = "once"');

      await page.fill('#search', 'gr');
      await expect.poll(() => lines(page, 'customers')).toEqual(['Grace Hopper']);
      await expect
        .poll(() => lines(page, 'overdue'))
        .toEqual(['Ada Lovelace $300.00', 'Grace Hopper $100.00']);
      await expect.poll(() => bars(page)).toEqual(['2026-02-20 small 3', '2026-03-16 large 5']);
      expect(await page.getAttribute('#usage', 'data-days')).toBe('30');

      await aNamedCustomer(act, 'Greta Hermann', clock.id);
      await expect.poll(() => lines(page, 'customers')).toEqual(['Grace Hopper', 'Greta Hermann']);
      await act(
        'mutation { updateCustomer(externalId: "greta", customer: { name: "Emmy Noether", email: "emmy@example.com" }) { customer { id } } }',
      );
      // Her own id still has the two letters.
      await expect.poll(() => lines(page, 'customers')).toEqual(['Emmy Noether', 'Grace Hopper']);

      const largest = await aSentInvoice(act, ada, 50_000, '2026-03-12');
      await expect
        .poll(() => lines(page, 'overdue'))
        .toEqual(['Ada Lovelace $500.00', 'Ada Lovelace $300.00', 'Grace Hopper $100.00']);
      await act('mutation($id: ID!) { voidInvoice(id: $id) { invoice { status } } }', {
        id: largest,
      });
      await expect.poll(() => lines(page, 'overdue')).toHaveLength(2);

      await use(session, user, used('2026-03-17', 'large', '7'));
      await expect.poll(() => bars(page)).toContain('2026-03-17 large 7');

      // Time alone makes an invoice overdue.
      await advance(session, clock.id, '2026-03-20');
      await expect
        .poll(() => lines(page, 'overdue'))
        .toEqual(['Ada Lovelace $300.00', 'Alan Turing $200.00', 'Grace Hopper $100.00']);
      expect(await lines(page, 'errors')).toEqual([]);
      expect(await page.evaluate('window.loaded')).toBe('once');
      await page.close();
    },
  );

  test('shows a customer her own balance live, and nothing else', async ({
    act,
    session,
    open,
    pages,
  }) => {
    const { grace, ada, user, used, invoiceId } = await aBusiness(session, act);
    // An invoice of 100.00 is to be paid; the rest of the transfer is credit.
    await act(
      `mutation($customerId: ID!) {
        recordPayment(customerId: $customerId, amount: 12500, method: bank_transfer) { remittance { id } }
      }`,
      { customerId: grace },
    );
    const { createCustomerToken } = await act(
      `mutation($customer: ID!, $origins: [String!]) {
        createCustomerToken(customer: $customer, allowedOrigins: $origins) { token }
      }`,
      { customer: grace, origins: [pages.origin(names.customers)] },
    );
    const settings = { customer: grace, other: ada, token: createCustomerToken.token };
    const page = await open('customers', 'balance', { ...settings, transport: 'WebSocket' });
    await expect.poll(() => page.textContent('#balance')).toBe('Grace Hopper $25.00');
    await expect.poll(() => lines(page, 'balances')).toEqual(['Tokens: 8 used, -8 available']);
    await act(
      `mutation($invoiceId: ID!) {
        createCreditNote(creditNote: { invoiceId: $invoiceId, amount: 500, reason: product_unsatisfactory, settle: credit }) {
          creditNote { id }
        }
      }`,
      { invoiceId },
    );
    await expect.poll(() => page.textContent('#balance')).toBe('Grace Hopper $30.00');
    await use(session, user, used('2026-03-17', 'large', '2'));
    await expect.poll(() => lines(page, 'balances')).toEqual(['Tokens: 10 used, -10 available']);

    await expect.poll(() => page.textContent('#done')).toBe('done');
    expect(JSON.parse((await page.textContent('#more')) ?? '')).toMatchObject({
      others: {
        customer: null,
        customers: { totalCount: 1, nodes: [{ id: grace }] },
        invoices: { totalCount: 0 },
      },
      organization: null,
    });
    await expect
      .poll(() => lines(page, 'errors'))
      .toEqual(['others: NOT_FOUND', 'organization: FORBIDDEN', 'live other: NOT_FOUND']);

    // The service allows the first origin, but not with this token; the second one it does not allow at all.
    for (const origin of ['own', 'foreign'] as const) {
      for (const transport of ['WebSocket', 'SSE'] as const) {
        const refused = await open(origin, 'balance', { ...settings, transport });
        await expect.poll(() => refused.textContent('#done')).toBe('done');
        expect(await refused.textContent('#balance')).toBe('');
        expect(JSON.parse((await refused.textContent('#more')) ?? '')).toEqual({
          others: null,
          organization: null,
        });
        await expect.poll(() => lines(refused, 'errors')).toHaveLength(4);
        expect(await refused.textContent('body')).not.toContain('Grace');
        await refused.close();
      }
    }
    await page.close();
  });
});
