import { expect } from 'vitest';
import { useStripe } from '#domain/rules/processing/stripe/client.ts';
import { inBrowser } from '../support/browser.ts';
import { test as base, expectAccessible, ready } from '../support/dashboard.ts';
import { fakeKeys, startFakeStripe } from '../support/stripe/fake-stripe.ts';

const test = base.extend('fake', { scope: 'file' }, async ({}, { onCleanup }) => {
  const fake = await startFakeStripe();
  useStripe({ apiBase: fake.url, timeoutMilliseconds: 2_000, maxNetworkRetries: 0 });
  onCleanup(() => fake[Symbol.asyncDispose]());
  return fake;
});

inBrowser('The page of the processors', () => {
  test('connects an account after its key is verified, and disconnects it in a second window', async ({
    open,
    fake: _,
  }) => {
    const [{ page, problems }, { page: second }] = [
      await open('/settings/processors'),
      await open('/settings/processors'),
    ];
    await ready(page);
    await ready(second);
    await page.getByRole('button', { name: 'Connect Stripe' }).click();
    const dialog = page.getByRole('dialog');
    const connect = dialog.getByRole('button', { name: 'Connect', exact: true });
    await dialog.getByLabel('Secret key', { exact: true }).fill(fakeKeys.live);
    await dialog.getByRole('alert').waitFor();
    expect(await connect.isDisabled()).toBe(true);
    await dialog.getByLabel('Secret key', { exact: true }).fill(fakeKeys.test);
    await dialog.getByText('Processor account created').waitFor();
    await connect.click();

    const row = second.getByRole('row', { name: /^Stripe: / });
    await row.getByText('Connected', { exact: true }).waitFor();
    await second.getByText('The books agree').waitFor();
    await expectAccessible(second, 'an account at a processor');
    await row.getByRole('button', { name: 'Disconnect' }).click();
    await second.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('Disconnected', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });
});

inBrowser('The page of the taxes', () => {
  test('creates a tax rate, and ends it', async ({ open }) => {
    const { page, problems } = await open('/settings/taxes');
    await ready(page);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New tax rate' }).click();
    const create = dialog.getByRole('button', { name: 'Create', exact: true });
    expect(await create.isDisabled()).toBe(true);
    await dialog.getByLabel('Name on documents').fill('QST');
    await dialog.getByLabel('Percent').fill('9.975');
    await dialog.getByLabel('Country, two letters').fill('ca');
    await dialog.getByLabel('State or province').fill('QC');
    await dialog.getByText('Tax rate created').waitFor();
    await create.click();

    const row = page.getByRole('row', { name: /QST/ });
    await row.getByText('Canada, QC').waitFor();
    await row.getByText('9.975 %').waitFor();
    await page.getByText('The rates are not applied').waitFor();
    await row.getByRole('button', { name: 'Actions of QST, Canada, QC' }).click();
    await page.getByRole('menuitem', { name: 'End' }).click();
    await dialog.getByLabel('First day without it').fill('2020-01-01');
    await dialog.getByRole('button', { name: 'End the rate' }).click();
    await row.getByText('Ended Jan 1, 2020').waitFor();
    await expectAccessible(page, 'the tax rates');
    expect(problems).toEqual([]);
  });
});
