import type { EntityClass } from '@mikro-orm/core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openSession } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { WebhookDelivery } from '#domain/model/platform/webhook-delivery.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { createCustomer } from '#domain/platform/commands/customers/create-customer.ts';
import { createTestClock } from '#domain/platform/commands/test-clocks/create-test-clock.ts';
import { sendTestEvent } from '#domain/platform/commands/webhook-deliveries/send-test-event.ts';
import { createWebhook } from '#domain/platform/commands/webhooks/create-webhook.ts';
import { sessionOf } from '../../../src/tools/demo/world.ts';
import { inBrowser } from '../../support/browser.ts';
import { test as base, ready } from '../../support/screen/dashboard.ts';
import { aTenant } from '../../support/tenant.ts';

const test = base.extend('session', ({ demo }) => {
  const { em, scope } = demo.world;
  return openSession(em, { ...scope, now: new Date() });
});

/** The number of rows that the list of a page states below it. */
const rowsOf = async (page: Page) =>
  Number(
    (
      await page
        .getByText(/^[\d,]+ rows?$/)
        .first()
        .innerText()
    ).replaceAll(/\D/g, ''),
  );

inBrowser('The dashboard', () => {
  test.for(['Active subscriptions', 'Failing payments', 'Trials that end within 7 days'])(
    'opens for the number of %s a list of exactly so many rows',
    async (label, { open }) => {
      const { page } = await open('/');
      await ready(page);
      const tile = page.getByRole('link', { name: label });
      await tile.getByText(/^[\d,]+$/).waitFor();
      const shown = Number((await tile.getByText(/^[\d,]+$/).innerText()).replaceAll(/\D/g, ''));
      await tile.click();
      await page.getByRole('heading', { name: 'Home' }).waitFor({ state: 'detached' });
      await ready(page);
      if (shown > 0) expect(await rowsOf(page)).toBe(shown);
      else await page.getByText(/^No subscriptions|^All subscriptions are paid/).waitFor();
    },
  );

  test('states which condition leaves free plans out, and removes it', async ({ open }) => {
    const { page } = await open('/subscriptions');
    await ready(page);
    const before = await rowsOf(page);
    await page.getByRole('button', { name: 'Remove Free plan' }).click();
    await expect.poll(() => rowsOf(page)).toBeGreaterThan(before);
  });

  test('has amounts of an invoice that add up to what is due, also after refunds and credits', async ({
    open,
    session,
  }) => {
    const all = await session.em.find(Invoice, {}, { orderBy: { createdAt: 'asc' } });
    const kinds = Map.groupBy(all, ({ status, amountCredited, creditApplied }) =>
      [status, amountCredited > 0, creditApplied > 0].join(' '),
    );
    expect(kinds.size).toBeGreaterThan(1);
    for (const [kind, [invoice]] of kinds) {
      const { page } = await open(`/invoices/${invoice?.id}`);
      await ready(page);
      const texts = await page.getByRole('group', { name: 'Amounts' }).innerText();
      const amounts = texts
        .split('\n')
        .filter((line) => /\d/.test(line))
        .map((text) => Number(text.replaceAll(/[^\d-]/g, '')));
      const [total = 0, ...others] = amounts;
      const due = others.pop() ?? 0;
      expect(total - others.reduce((sum, amount) => sum + amount, 0), kind).toBe(due);
      await page.close();
    }
  });

  test('proposes the time of UTC for a test clock, and shows nothing of others for one without customers', async ({
    open,
    demo,
  }) => {
    const { page } = await open('/test-clocks');
    const browser = await page.context().newCDPSession(page);
    await browser.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
    await ready(page);
    await page.getByRole('button', { name: 'New test clock' }).click();
    const proposed = await page.getByRole('dialog').getByLabel('Its time').innerText();
    const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone: 'UTC' });
    const hours = [0, 60_000].map((past) => hour.format(Date.now() - past));
    expect(hours).toContain(/(\d\d):\d\d$/.exec(proposed)?.[1]);
    const { testClock } = await createTestClock(sessionOf(demo.world), {
      testClock: { frozenTime: new Date() },
    } as never).then((made: unknown) => ({ testClock: made as { id: string } }));
    await page.goto(`${new URL(page.url()).origin}/test-clocks/${testClock.id}`);
    await ready(page);
    await page.getByRole('link', { name: 'Customers' }).last().waitFor();
    expect(await page.getByRole('region', { name: 'Revenue' }).count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Events' }).count()).toBe(0);
  });

  test('shows the same days and times to readers in each time zone, and names the zone', async ({
    open,
    session,
  }) => {
    const ids = async (entity: EntityClass<{ id: string; position: number }>) =>
      (await session.em.find(entity, {}, { limit: 1, orderBy: { position: 'asc' } }))[0]?.id;
    const paths = [
      '/',
      `/subscriptions/${await ids(Subscription as never)}`,
      `/invoices/${await ids(Invoice as never)}`,
      `/customers/${await ids(Customer as never)}`,
      '/test-clocks',
    ];
    for (const path of paths) {
      const { page } = await open(path);
      const browser = await page.context().newCDPSession(page);
      const shown: string[] = [];
      for (const timezoneId of ['UTC', 'Pacific/Kiritimati']) {
        await browser.send('Emulation.setTimezoneOverride', { timezoneId });
        await page.reload();
        await ready(page);
        await page.waitForLoadState('networkidle');
        const text = await page.getByRole('main').innerText();
        expect(text, path).toContain('Days and times are those of UTC');
        // Distances to now grow meanwhile.
        shown.push(
          text.replaceAll(/(\d+|yester|to)[ a-z]*(second|minute|hour|day)s?( ago)?|now/g, ''),
        );
      }
      expect(shown[1], path).toBe(shown[0]);
      await page.close();
    }
  });

  test('speaks of conditions only in lists that have some', async ({ open, database }) => {
    const { key } = await aTenant(database.orm.em);
    for (const path of [
      '/customers',
      '/subscriptions',
      '/invoices',
      '/invoices?tab=credit-notes',
      '/payments',
      '/payments?tab=refunds',
      '/payments?tab=disputes',
    ]) {
      const { page } = await open(path, key);
      await ready(page);
      await page.getByText(/^No /).first().waitFor();
      expect(await page.getByText(/condition/).count(), path).toBe(0);
      await page.goto(`${page.url()}${path.includes('?') ? '&' : '?'}customer=cust_none`);
      if (path !== '/customers')
        await page
          .getByText(/matches these conditions/)
          .first()
          .waitFor();
      await page.close();
    }
  });

  test('shows on a telephone whether it is test or live, and amounts', async ({ open }) => {
    const { page } = await open('/subscriptions');
    await page.setViewportSize({ width: 375, height: 800 });
    await ready(page);
    await page.getByRole('banner').getByText('Test', { exact: false }).waitFor();
    const amount = await page
      .getByRole('cell', { name: /^\D*\d[\d,]*\.\d\d$/ })
      .first()
      .boundingBox();
    expect((amount?.x ?? 0) + (amount?.width ?? 1_000)).toBeLessThanOrEqual(375);
  });

  test('has names of any script at the start of a column', async ({ open, demo }) => {
    const name = 'חברת דוגמה';
    const customer = { name, externalId: crypto.randomUUID(), email: 'rtl@example.com' };
    await createCustomer(sessionOf(demo.world), { customer } as never);
    const { page } = await open('/customers');
    await ready(page);
    const link = page.getByRole('link', { name });
    await link.waitFor();
    const indent = await link.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const cell = element.closest('td') as HTMLElement;
      return range.getBoundingClientRect().x - cell.getBoundingClientRect().x;
    });
    expect(indent).toBeLessThan(30);
  });

  test('calls a delivery failed after its first attempt, and states the next one', async ({
    open,
    session,
    demo,
  }) => {
    const { webhook } = await createWebhook(sessionOf(demo.world), {
      webhook: { name: 'Hook', url: 'https://example.com', filterTypes: ['customer.created'] },
    });
    const { id } = await sendTestEvent(sessionOf(demo.world), { id: webhook.id });
    const nextAttemptAt = new Date(Date.now() + 3_600_000);
    await session.em.nativeUpdate(WebhookDelivery, { id }, { attemptCount: 1, nextAttemptAt });
    const { page } = await open(`/webhooks/${webhook.id}`);
    await ready(page);
    const row = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').nth(1);
    await row.getByText('Failed').waitFor();
    expect(await row.getByText(/^Next attempt in/).count()).toBe(1);
  });
});
