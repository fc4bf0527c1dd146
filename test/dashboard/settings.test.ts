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
