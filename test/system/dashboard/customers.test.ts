import { expect } from 'vitest';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { createPaymentMethod } from '#domain/money/commands/payment-methods/create-payment-method.ts';
import { createCustomer } from '#domain/platform/commands/customers/create-customer.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import { sessionOf, type World } from '../../../src/tools/demo/world.ts';
import { inBrowser } from '../../support/browser.ts';
import { choose, expectAccessible, ready, test } from '../../support/screen/dashboard.ts';

/** A customer with a card and a plan that has seats and credits. */
async function customerWithPlan(world: World, name: string) {
  const externalId = name.toLowerCase().replaceAll(' ', '-');
  const { customer } = await createCustomer(sessionOf(world), {
    customer: { name, externalId, email: `${externalId}@example.com` },
  });
  const paymentMethod = {
    customerId: customer.id,
    type: 'card',
    token: 'sandbox_success',
    default: true,
  } as const;
  await createPaymentMethod(sessionOf(world), { paymentMethod });
  await createSubscription(sessionOf(world), { customerId: customer.id, priceSlug: 'team-month' });
  return customer;
}

inBrowser('The page of a customer', () => {
  test('creates one, and its changes arrive in a second window', { tags: ['smoke'] }, async ({
    open,
  }) => {
    const { page } = await open('/customers');
    await ready(page);
    await page.getByRole('button', { name: 'New customer' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Zoé Ångström <b>AB</b>');
    await form.getByLabel('E-mail').fill('zoe@example.com');
    await form.getByLabel('Your id').fill('zoe');
    await form.getByText('Customer created').waitFor();
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Zoé Ångström <b>AB</b>' }).waitFor();
    const { page: second } = await open(new URL(page.url()).pathname);
    await ready(second);
    const dialog = await choose(page, 'Edit');
    await dialog.getByLabel('Name').fill('Zoé');
    await dialog.getByRole('button', { name: 'Address' }).click();
    await dialog.getByLabel('City').fill('Växjö');
    await dialog.getByLabel('Country').fill('se');
    await dialog.getByText('Customer updated').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await second.getByRole('heading', { level: 1, name: 'Zoé', exact: true }).waitFor();
    await second.getByText('Växjö').waitFor();
    await second.getByText('Sweden').waitFor();
    await (await choose(page, 'Archive')).getByRole('button', { name: 'Archive' }).click();
    await second.locator('h1').getByText('Archived').waitFor();
    await (await choose(second, 'Unarchive')).getByRole('button', { name: 'Unarchive' }).click();
    await page.locator('h1').getByText('Archived').waitFor({ state: 'detached' });
  });

  test('gives prepaid credit with its priority, expiry and rollover', async ({
    open,
    demo: { world },
  }) => {
    const { id } = await customerWithPlan(world, 'Credit Person');
    const { page } = await open(`/customers/${id}`);
    await ready(page);
    await page.getByRole('button', { name: 'Buy or give' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Source' }).click();
    await page.getByRole('option', { name: /^Given/ }).click();
    await dialog.getByLabel('Amount').fill('100');
    await dialog.getByLabel(/^Or the day/).waitFor();
    await dialog.getByLabel('Days until it expires').fill('30');
    await dialog.getByLabel(/^Times the unused part/).fill('2');
    await dialog.getByLabel('The most that is kept').fill('60');
    await dialog.getByLabel('Priority').fill('10');
    await expectAccessible(page, 'prepaid credit');
    await dialog.getByRole('button', { name: 'Give', exact: true }).click();
    await page.getByText('The credit is given').waitFor();
    const { em } = sessionOf(world);
    expect(await em.find(PrepaidCredit, { customer: id })).toMatchObject([
      { amount: 10_000, priority: 10, validDays: 30, rollovers: 2, rolloverLimit: 6_000 },
    ]);
  });

  test('shows who has which seat; a claim and a release arrive in a second window', async ({
    open,
    demo: { world },
  }) => {
    const { id } = await customerWithPlan(world, 'Seat Person');
    const [{ page }, { page: second }] = [
      await open(`/customers/${id}`),
      await open(`/customers/${id}`),
    ];
    await ready(page);
    await ready(second);
    await page.getByRole('button', { name: 'Claim' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('ada@seats.example');
    await dialog.getByText('Resource claim created').waitFor();
    await dialog.getByRole('button', { name: 'Claim' }).click();
    const seats = second.getByRole('table', { name: 'Claims of Seats' });
    await seats.getByText('ada@seats.example').waitFor();
    await second.getByText('1 of 10 claimed; 9 available').waitFor();
    await second.getByRole('button', { name: 'Release ada@seats.example' }).click();
    await second.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
    await page.getByText('0 of 10 claimed; 10 available').waitFor();
  });

  test('shows a token once, and revokes it', async ({ open, demo: { world } }) => {
    const { id } = await customerWithPlan(world, 'Token Person');
    const { page } = await open(`/customers/${id}?tab=access`);
    await page.getByText('No valid tokens').waitFor();
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog', { name: 'New customer token' });
    await dialog.getByText('Customer token created').waitFor();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const secret = page.getByRole('dialog', { name: 'The new token' });
    await secret.getByText(/^ct_test_|^\w{20,}/).waitFor();
    await secret.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No valid tokens').waitFor();
  });

  test.for(['credit-notes', 'remittances', 'access', 'events'])(
    'is accessible on its tab %s',
    async (tab, { open, demo: { world } }) => {
      const [person] = world.people;
      const { page, problems } = await open(`/customers/${person?.customerId}?tab=${tab}`);
      await ready(page);
      await expectAccessible(page, tab);
      expect(problems).toEqual([]);
    },
  );
});
