import { expect } from 'vitest';
import { openSession } from '#domain/kernel/session.ts';
import { applyAlertRules } from '#domain/metering/commands/alert-rules/apply-alert-rules.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { AlertRule } from '#domain/model/metering/alert-rule.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { createPaymentMethod } from '#domain/money/commands/payment-methods/create-payment-method.ts';
import { sessionOf } from '../../../src/tools/demo/world.ts';
import { inBrowser } from '../../support/browser.ts';
import { test as base, choose, expectAccessible, ready } from '../../support/screen/dashboard.ts';

const test = base.extend('em', ({ demo }) => {
  const { em, scope } = demo.world;
  return openSession(em, { ...scope, now: new Date() }).em;
});

inBrowser('A command of the dashboard', () => {
  test('is armed by its preview, and its effect arrives in a second window', async ({
    open,
    em,
  }) => {
    const { id } = await em.findOneOrFail(
      Subscription,
      { status: 'active', isFreePlan: false },
      { orderBy: { createdAt: 'desc' } },
    );
    const [{ page }, { page: second }] = [
      await open(`/subscriptions/${id}`),
      await open(`/subscriptions/${id}`),
    ];
    await ready(page);
    await ready(second);
    const dialog = await choose(page, 'Cancel');
    const button = dialog.getByRole('button', { name: 'Cancel the subscription' });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByText('Subscription updated').waitFor();
    // The preview has changed nothing.
    expect((await em.refresh(await em.findOneOrFail(Subscription, id)))?.status).toBe('active');
    await button.click();
    await second.getByText('Cancellation scheduled').first().waitFor();
    await (await choose(second, 'Keep the subscription'))
      .getByRole('button', { name: 'Keep it' })
      .click();
    await page.getByRole('button', { name: 'Change plan' }).waitFor();
    await page.locator('h1').getByText('Active').waitFor();
  });

  test('whose preview has failed is planned again, and Enter executes it', async ({ open, em }) => {
    const { id } = await em.findOneOrFail(Subscription, { status: 'active', isFreePlan: false });
    const { page } = await open(`/subscriptions/${id}`);
    await ready(page);
    let failures = 1;
    await page.route('**/graphql', (route) => {
      const isDry = route.request().postDataJSON()?.extensions?.dryRun;
      return isDry && failures-- > 0 ? route.abort() : route.continue();
    });
    const dialog = await choose(page, 'Rename');
    await dialog.getByLabel('Name').fill('By keyboard');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('Subscription updated').waitFor();
    await dialog.getByLabel('Name').press('Enter');
    await page.getByRole('heading', { level: 1, name: 'By keyboard' }).waitFor();
  });

  test('is asked about before Escape discards its form or a secret, and closed at once without them', async ({
    open,
  }) => {
    const { page } = await open('/settings/keys');
    await ready(page);
    const opened = async () => {
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('dialog', { name: 'New key' }).getByLabel('Name').waitFor();
    };
    await opened();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await opened();
    const form = page.getByRole('dialog', { name: 'New key' });
    await form.getByLabel('Name').fill('Key');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard what you have filled in?' });
    await question.getByRole('button', { name: 'Keep it' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Name').inputValue()).toBe('Key');
    await form.getByText('Api key created').waitFor();
    await form.getByLabel('Name').press('Enter');
    const secret = page.getByRole('dialog', { name: 'The new key' });
    await secret.waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Have you copied it?' }).waitFor();
    await page.keyboard.press('Escape');
    await secret.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('is refused by the labels of its form, and in money', async ({ open, em }) => {
    const { id } = await em.findOneOrFail(Payment, { status: 'succeeded', refundedAmount: 0 });
    const { page } = await open(`/payments/${id}`);
    await ready(page);
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('In part').click();
    await dialog.getByLabel('Amount', { exact: true }).fill('9999999');
    const text = await dialog.getByRole('alert').innerText();
    expect(text).toMatch(/^Amount: must be at most \D*[\d,.]+, the amount not yet refunded/);
  });

  test('shows the money of a change of plan before it is made', async ({ open, em, demo }) => {
    const subscription = await em.findOneOrFail(
      Subscription,
      { status: 'active', isFreePlan: false, name: 'Starter' },
      { orderBy: { createdAt: 'desc' } },
    );
    const { customerId } = subscription;
    const paymentMethod = {
      customerId,
      type: 'card',
      token: 'sandbox_success',
      default: true,
    } as const;
    await createPaymentMethod(sessionOf(demo.world), { paymentMethod });
    const { page } = await open(`/subscriptions/${subscription.id}`);
    await ready(page);
    await page.getByRole('button', { name: 'Change plan' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('combobox', { name: 'Price' })
      .or(dialog.getByLabel('Price'))
      .first()
      .click();
    await page.getByRole('option', { name: 'Team: $99.00 a month' }).click();
    await dialog
      .getByRole('table', { name: 'Amounts of the change' })
      .getByText('$99.00')
      .waitFor();
    const change = dialog.getByRole('button', { name: 'Change', exact: true });
    await change.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('table', { name: 'Items' }).getByText('Team').first().waitFor();
  });

  test('refunds a part of a payment, in the currency of the payment', async ({ open, em }) => {
    const payment = await em.findOneOrFail(
      Payment,
      { status: 'succeeded', refundedAmount: 0, amount: { $gt: 1_000 } },
      { orderBy: { chargeDate: 'desc' } },
    );
    const { page } = await open(`/payments/${payment.id}`);
    await ready(page);
    await page.getByRole('button', { name: 'Refund' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('In part').click();
    await dialog.getByLabel('Amount').fill('5.00');
    await dialog.getByText('Refund created').waitFor();
    await dialog.getByRole('button', { name: 'Refund' }).click();
    await page.getByRole('table', { name: 'Refunds' }).getByText('$5.00').waitFor();
  });

  test('computes an example of a price with tiers by the service, and shows the tiers', async ({
    open,
    demo,
  }) => {
    const { page } = await open(`/catalog/${demo.world.scope.pricingModelId}`);
    await ready(page);
    await page.getByRole('button', { name: 'New price of' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Model' }).click();
    await page.getByRole('option', { name: 'Graduated' }).click();
    const tier = (place: number) => dialog.getByRole('group', { name: `Tier ${place}` });
    await tier(1).getByLabel('Up to').fill('5');
    await tier(1).getByLabel('Fixed amount').fill('10');
    await tier(2).getByLabel('Each unit').fill('0.0125');
    await dialog.getByLabel('Example quantity').fill('105');
    // 1,000 minor units, and 100 × 1.25.
    await dialog.getByText('105 cost $11.25').waitFor();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Above 5: $0.0125 each').first().waitFor();
  });

  test('states the refusal of the service, and stays unarmed', async ({ open, em }) => {
    const invoice = await em.findOneOrFail(Invoice, { status: 'paid' });
    const { page } = await open(`/invoices/${invoice.id}`);
    await ready(page);
    const dialog = await choose(page, 'Create a credit note');
    await dialog.getByText('An amount').click();
    await dialog.getByLabel('Amount with tax').fill('99999999');
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
  });
});

inBrowser('Signing in', () => {
  test('a link with a key signs in when its reader agrees, and the address loses the key', async ({
    open,
    origin,
    demo: { token },
  }) => {
    const { page } = await open(`/customers#key=${token}`, null);
    await page.getByText(`ends in ${token.slice(-4)}`).waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
    expect(page.url()).toBe(`${origin}/customers`);
  });

  test('refuses a wrong key with the reason, and keeps a right one for the tab only', async ({
    open,
    demo,
    origin,
  }) => {
    const { page } = await open('/', null);
    const field = page.getByLabel('Secret key', { exact: true });
    await field.fill('sk_test_unknownUnknownUnknown00');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page
      .getByText(/API key/)
      .first()
      .waitFor();
    await field.fill(demo.token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(origin);
    await other.getByLabel('Secret key', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Secret key', { exact: true }).waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  test('gives all customers an alert, changes it, and shows it at a subscription', async ({
    open,
    em,
    demo,
  }) => {
    const { page } = await open(`/catalog/${demo.world.scope.pricingModelId}`);
    await ready(page);
    const section = page.getByRole('region', { name: 'Alerts for all customers' });
    await section.getByRole('button', { name: 'Add a rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Threshold').fill('900000');
    await dialog.getByLabel('Name').fill('Everyone');
    await dialog.getByText('Alert rule created').waitFor();
    await expectAccessible(page, 'Add an alert for all customers');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await section.getByText('$900,000.00').waitFor();
    await expectAccessible(page, 'Alerts for all customers');
    await section.getByRole('button', { name: 'Change' }).click();
    await dialog.getByLabel('Hard limit').check();
    await dialog.getByText(/It concerns \d+ customers at present/).waitFor();
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await section.getByText('Hard limit').waitFor();
    const rule = await em.fork().findOneOrFail(AlertRule, { name: 'Everyone' });
    expect(rule).toMatchObject({ threshold: '90000000', hardLimit: true, revision: 2 });
    await applyAlertRules(em.fork(), new Date(), 'apply-alert-rules', (error) => {
      throw error;
    });
    const { customerId } = await em.fork().findOneOrFail(Alert, { rule: rule.id });
    const own = { customer: customerId, status: 'active' as const };
    const { id } = await em.fork().findOneOrFail(Subscription, own);
    const { page: other } = await open(`/subscriptions/${id}`);
    const alerts = other.getByRole('region', { name: 'Alerts and limits' });
    await alerts.getByText('For all customers').waitFor();
  });
});
