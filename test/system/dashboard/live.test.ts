import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { sessionOf } from '../../../src/tools/demo/world.ts';
import { inBrowser } from '../../support/browser.ts';
import { ready, test } from '../../support/screen/dashboard.ts';

const shownEvents = (page: Page) =>
  page
    .locator('[data-event]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-event')));

inBrowser('Live pages', () => {
  test('show a change that is made elsewhere, without a reload', async ({ open, demo }) => {
    const { page } = await open('/customers');
    await ready(page);
    const session = sessionOf(demo.world);
    const customer = { name: 'Renamed elsewhere' };
    await updateCustomer(session, { externalId: 'demo_1', customer } as never);
    await page.getByText('Renamed elsewhere').waitFor();
  });

  test('state a lost connection, and catch up without a gap or a doubled row', async ({
    open,
    demo,
    network,
  }) => {
    const { page } = await open('/');
    await ready(page);
    const before = await shownEvents(page);
    network.swallowAll();
    network.cut();
    await page.locator('[data-state="lost"]').waitFor();
    await page.getByText('The connection is lost').waitFor();
    for (let n = 1; n <= 5; n++) {
      const session = sessionOf(demo.world);
      const customer = { name: `Renamed ${n} times` };
      await updateCustomer(session, { externalId: 'demo_2', customer } as never);
    }
    network.heal();
    network.cut();
    await page.locator('[data-state="live"]').waitFor();
    await page.waitForFunction(
      (count) => document.querySelectorAll('[data-event]').length >= count,
      Math.min(50, before.length + 5),
    );
    await page.getByText('Renamed 5 times').first().waitFor();
    const after = await shownEvents(page);
    expect(new Set(after).size).toBe(after.length);
    // All that was shown before follows the five new events, in the same order.
    expect(after.slice(5)).toEqual(before.slice(0, after.length - 5));
  });

  test('keep only rows in sight in the document, however far one scrolls', async ({ open }) => {
    const { page } = await open('/events');
    await ready(page);
    const table = page.getByRole('region', { name: 'Events' });
    const rows = page.locator('tr[data-index]');
    for (let last = 0; last < 300; ) {
      await table.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await page.waitForFunction((before) => {
        const shown = [...document.querySelectorAll<HTMLElement>('tr[data-index]')];
        return Number(shown.at(-1)?.dataset.index) > before;
      }, last);
      last = Number(await rows.last().getAttribute('data-index'));
    }
    expect(await rows.count()).toBeLessThan(80);
    const shown = await rows.first().getAttribute('data-index');
    expect(Number(shown)).toBeGreaterThan(200);
  });
});
