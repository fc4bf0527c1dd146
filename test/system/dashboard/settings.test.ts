import { expect } from 'vitest';
import { useStripe } from '#domain/money/processing/stripe/client.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { sessionOf } from '../../../src/tools/demo/world.ts';
import { inBrowser } from '../../support/browser.ts';
import { test as base, expectAccessible, ready } from '../../support/screen/dashboard.ts';
import { fakeKeys, startFakeStripe } from '../../support/stripe/fake-stripe.ts';

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

inBrowser('The settings of the organization', () => {
  test('permit customers to buy credit within the offers, which a second window shows', async ({
    open,
    demo: { world },
  }) => {
    const none = { customersMayBuyCredit: false, prepaidOffers: [] };
    await updateOrganization(sessionOf(world), { organization: none });
    const [{ page, problems }, { page: second }] = [
      await open('/settings'),
      await open('/settings'),
    ];
    await ready(page);
    await ready(second);
    await second.getByText('Customers may not buy credit').waitFor();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const save = dialog.getByRole('button', { name: 'Save' });
    await dialog.getByLabel('Customers may buy prepaid credit').click();
    await dialog.getByRole('alert').getByText('Prepaid offers').waitFor();
    expect(await save.isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Add a currency' }).click();
    const offer = dialog.getByRole('group', { name: 'Offer in USD' });
    const amounts = offer.getByLabel('Amounts to choose from');
    for (const [typed, isAmount] of [
      ['20', true],
      ['many', false],
      ['12,50', true],
      ['1.234', false],
    ] as const) {
      await amounts.fill(typed);
      await amounts.press('Enter');
      if (isAmount) continue;
      await offer.getByText(`${typed}: Write`).waitFor();
      await amounts.press('Backspace');
    }
    await offer.getByLabel('Own amount: at least').fill('5');
    expect(await save.isDisabled()).toBe(true);
    await offer.getByLabel('Own amount: at most').fill('500');
    await offer.getByLabel('Days until the credit expires').fill('365');
    await expectAccessible(page, 'the offers of credit');
    await save.click();
    await second.getByText('Customers may buy credit in the portal').waitFor();
    const row = second.getByRole('table', { name: 'Offers of prepaid credit' }).getByRole('row');
    expect(await row.innerText()).toBe(
      'USD\t$12.50, $20.00, or from $5.00 to $500.00\tExpires after 365 days',
    );
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await offer.getByText('12.50', { exact: true }).waitFor();
    await offer.getByRole('button', { name: 'Remove the offer in USD' }).click();
    await dialog.getByRole('alert').getByText('Prepaid offers').waitFor();
    await expectAccessible(second, 'the organization');
    expect(problems).toEqual([]);
  });
});
