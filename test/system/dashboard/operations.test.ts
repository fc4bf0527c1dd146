import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openSession } from '#domain/kernel/session.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { inBrowser } from '../../support/browser.ts';
import { test as base, choose, ready } from '../../support/screen/dashboard.ts';

const test = base
  .extend('em', ({ demo: { world } }) => {
    return openSession(world.em, { ...world.scope, now: new Date() }).em;
  })
  .extend('openTwice', ({ open }) => async (path: string) => {
    const [{ page }, { page: second }] = [await open(path), await open(path)];
    await ready(page);
    await ready(second);
    return [page, second] as const;
  });

/** Opens the dialog of a button. */
async function press(page: Page, name: string) {
  await page.getByRole('main').getByRole('button', { name, exact: true }).first().click();
  return page.getByRole('dialog');
}

inBrowser('In a second window arrives', () => {
  test('a usage event that is replaced and voided', async ({ em, openTwice }) => {
    const { id, amount } = await em.findOneOrFail(
      UsageEvent,
      { voidedAt: null },
      { orderBy: { usageDate: 'desc' } },
    );
    const [page, second] = await openTwice(`/usage/events/${id}`);
    const replace = await press(page, 'Replace');
    await replace.getByLabel('Amount').fill(String(Number(amount) + 1));
    await replace.getByLabel('Reason').fill('Counted one too few');
    await replace.getByRole('button', { name: 'Replace' }).click();
    await second.getByRole('heading', { level: 1 }).getByText('Replaced').waitFor();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await ready(page);
    await second.goto(page.url());
    await ready(second);
    const undo = await press(page, 'Void');
    await undo.getByLabel('Reason').fill('Never happened');
    await undo.getByRole('button', { name: 'Void' }).click();
    await second.getByRole('heading', { level: 1 }).getByText('Void').waitFor();
  });

  test('a product that is edited, and a catalog document with its plan', async ({
    demo: { world },
    openTwice,
  }) => {
    const { pricingModelId } = world.scope;
    const [page, second] = await openTwice(`/catalog/${pricingModelId}`);
    const added = await press(page, 'New product');
    await added.getByLabel('Name', { exact: true }).first().fill('Workshop');
    await added.getByLabel('Amount').fill('250');
    await added.getByRole('button', { name: 'Create' }).click();
    await second.getByText('Workshop', { exact: true }).waitFor();

    const editor = await press(page, 'Export and apply');
    const text = editor.getByRole('textbox', { name: 'Document' });
    await text.fill((await text.inputValue()).replace('"Workshop"', '"Long workshop"'));
    const apply = editor.getByRole('button', { name: 'Apply' });
    expect(await apply.isDisabled()).toBe(true);
    await editor.getByRole('button', { name: 'Show the plan' }).click();
    await editor.getByText('Workshop').first().waitFor();
    await apply.click();
    await second.getByText('Long workshop', { exact: true }).waitFor();
  });

  test('a test clock that is advanced', async ({ demo: { world }, openTwice }) => {
    const [page, second] = await openTwice(`/test-clocks/${world.clockId}`);
    const heading = second.getByRole('main');
    const before = await heading.innerText();
    await page.getByRole('button', { name: '+ 1 day' }).click();
    await expect.poll(() => heading.innerText()).not.toBe(before);
  });

  test('a webhook that is created, tested, replayed and turned off', async ({ openTwice }) => {
    const [page, second] = await openTwice('/webhooks');
    const created = await press(page, 'New webhook');
    await created.getByLabel('Name').fill('Shop');
    await created.getByLabel('Address').fill('https://shop.example/hooks');
    await created.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog').getByText('whsec_').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await second.getByRole('link', { name: 'Shop' }).click();
    await second.waitForURL(/webhooks\/./);
    await ready(second);
    await page.goto(second.url());
    await ready(page);
    await (await press(page, 'Send a test event')).getByRole('button', { name: 'Send' }).click();
    const deliveries = second.getByRole('table', { name: 'Deliveries' });
    await deliveries.getByRole('row').nth(1).waitFor();
    const replay = await choose(page, 'Replay the last day');
    await replay.getByRole('button', { name: 'Replay' }).click();
    await replay.waitFor({ state: 'detached' });
    const off = await choose(page, 'Turn off');
    await off.getByRole('button', { name: 'Turn off' }).click();
    await second.getByRole('alert').getByText('Off').waitFor();
  });

  test('a key that is created and revoked', async ({ openTwice }) => {
    const [page, second] = await openTwice('/settings/keys');
    const created = await press(page, 'New key');
    await created.getByLabel('Name').fill('Till');
    await created.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog').getByText('sk_test_').waitFor();
    const row = second.getByRole('row').filter({ hasText: 'Till' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await second.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    const revoked = page.getByRole('row').filter({ hasText: 'Till' });
    await revoked.getByText('Revoked').waitFor();
  });
});
