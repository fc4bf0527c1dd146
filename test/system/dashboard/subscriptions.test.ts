import { expect } from 'vitest';
import { createDiscount } from '#domain/catalog/commands/discounts/create-discount.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { createPaymentMethod } from '#domain/money/commands/payment-methods/create-payment-method.ts';
import { createCustomer } from '#domain/platform/commands/customers/create-customer.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import { sessionOf, type World } from '../../../src/tools/demo/world.ts';
import { inBrowser } from '../../support/browser.ts';
import { choose, expectAccessible, ready, test } from '../../support/screen/dashboard.ts';

const day = 86_400_000;

/** A subscription of a new customer with a card. */
async function subscriptionOf(world: World, name: string, priceSlug: string, trialEnd?: Date) {
  const externalId = name.toLowerCase().replaceAll(' ', '-');
  const { customer } = await createCustomer(sessionOf(world), {
    customer: { name, externalId, email: `${externalId}@example.com` },
  });
  const customerId = customer.id;
  const paymentMethod = {
    customerId,
    type: 'card',
    token: 'sandbox_success',
    default: true,
  } as const;
  await createPaymentMethod(sessionOf(world), { paymentMethod });
  return createSubscription(sessionOf(world), {
    customerId,
    priceSlug,
    ...(trialEnd && { trialEnd }),
  });
}

inBrowser('The page of a subscription', () => {
  test('shows the invoice and the run of each period', async ({ open, demo: { world } }) => {
    const { em } = sessionOf(world);
    const invoice = await em.findOneOrFail(Invoice, { status: 'paid', purpose: 'period' });
    const { page } = await open(`/subscriptions/${invoice.subscription?.id}`);
    const periods = page.getByRole('region', { name: 'Billing periods' });
    await periods.getByRole('link', { name: invoice.invoiceNumber }).waitFor();
    await periods
      .getByText(/^Run · .+ · Succeeded$/)
      .first()
      .waitFor();
  });

  test('pauses with its period after a preview, which a second window shows, and cancels the pause', async ({
    open,
    demo: { world },
  }) => {
    const { id } = await subscriptionOf(world, 'Pausing Person', 'team-month');
    const [{ page }, { page: second }] = [
      await open(`/subscriptions/${id}`),
      await open(`/subscriptions/${id}`),
    ];
    await ready(page);
    await ready(second);
    await choose(page, 'Pause');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Subscription updated').waitFor();
    await expectAccessible(page, 'Pause');
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
    await second.getByText('The subscription pauses').waitFor();
    await choose(page, 'Cancel the pause');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the pause' }).click();
    await second.getByText('The subscription pauses').waitFor({ state: 'detached' });
    await choose(page, 'Pause');
    await page.getByRole('dialog').getByRole('radio', { name: 'Now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
    await second.getByText('Paused', { exact: true }).first().waitFor();
    await choose(page, 'Resume');
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await second.getByText('Active', { exact: true }).first().waitFor();
  });

  test('commits to an amount after a preview, shows its term, and ends it', async ({
    open,
    demo: { world },
  }) => {
    const { id } = await subscriptionOf(world, 'Committed Person', 'team-month');
    const [{ page }, { page: second }] = [
      await open(`/subscriptions/${id}`),
      await open(`/subscriptions/${id}`),
    ];
    await ready(page);
    await ready(second);
    const dialog = await choose(page, 'Add a commitment');
    await dialog.getByLabel('Amount of a term').fill('1200');
    await dialog.getByLabel('Length of a term').fill('12');
    await dialog.getByRole('radio', { name: 'With each billing period' }).click();
    await dialog.getByText('Subscription updated').waitFor();
    await expectAccessible(page, 'Commitment');
    await dialog.getByRole('button', { name: 'Commit', exact: true }).click();
    const section = second.getByRole('region', { name: 'Commitment' });
    await section.getByText('1 of 12').waitFor();
    await section.getByText('$100.00').first().waitFor();
    const end = await choose(page, 'End the commitment');
    await end.getByRole('button', { name: 'End', exact: true }).click();
    await section.waitFor({ state: 'detached' });
  });

  test('applies a discount after a preview of the next invoice, and removes it', async ({
    open,
    demo: { world },
  }) => {
    const { id } = await subscriptionOf(world, 'Staying Person', 'team-month');
    const discount = { name: 'Stay', amountType: 'percent', amount: 12.5 } as const;
    await createDiscount(sessionOf(world), {
      discount: { ...discount, code: 'STAY-12', duration: 'number_of_months', numberOfMonths: 3 },
    });
    const [{ page }, { page: second }] = [
      await open(`/subscriptions/${id}`),
      await open(`/subscriptions/${id}`),
    ];
    await ready(page);
    await ready(second);
    const dialog = await choose(page, 'Apply a discount');
    await dialog.getByLabel('Code').fill('stay-12');
    const preview = dialog.getByRole('table', { name: 'The next invoice after the change' });
    await preview.getByText('Discount STAY-12: 12.5 %').waitFor();
    await expectAccessible(page, 'Discount');
    await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
    const upcoming = second.getByRole('region', { name: 'Upcoming invoice' });
    await upcoming.getByText('Discount STAY-12: 12.5 %').waitFor();
    await second.getByText('Stay (STAY-12): 12.5 %').waitFor();
    const removal = await choose(page, 'Remove the discount');
    await removal.getByRole('button', { name: 'Remove', exact: true }).click();
    await upcoming.getByText('Discount STAY-12: 12.5 %').waitFor({ state: 'detached' });
  });

  test('charges once after a preview, changes and deletes the charge, and offers phases', async ({
    open,
    demo: { world },
  }) => {
    const { id } = await subscriptionOf(world, 'Charged Person', 'team-month');
    const { page } = await open(`/subscriptions/${id}`);
    await ready(page);
    const section = page.getByRole('region', { name: 'One-off charges' });
    await section.getByRole('button', { name: 'Charge once' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Training');
    await dialog.getByLabel('Quantity').fill('2');
    await dialog.getByLabel('Price of one').fill('120');
    await dialog.getByText('One off charge created').waitFor();
    await expectAccessible(page, 'Charge once');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await section.getByText('$240.00').waitFor();
    await section.getByRole('button', { name: 'Change' }).click();
    await dialog.getByLabel('Quantity').fill('3');
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await section.getByText('$360.00').waitFor();
    await section.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await section.getByText('The next invoice has no one-off charge').waitFor();
    const phases = page.getByRole('region', { name: 'Phases' });
    await phases.getByText('The items stay as they are').waitFor();
    await phases.getByRole('button', { name: 'Plan a phase' }).click();
    await dialog.getByLabel('Starts').waitFor();
    await dialog.getByLabel('Starts').click();
    await page.getByRole('button', { name: 'Next month' }).click();
    await page.locator('[data-dates-dropdown] table button').nth(14).click();
    await page.keyboard.press('Escape');
    await dialog.getByLabel('Price').first().click();
    await expectAccessible(page, 'Choose the price of a phase');
    await page.getByRole('option', { name: /^Team: \$99\.00/ }).click();
    await dialog.getByText('Subscription phase created').waitFor();
    await dialog.getByLabel('At this date, also within a billing period').check();
    await dialog.getByText('The rest of a billing period').waitFor();
    await expectAccessible(page, 'Plan a phase');
    await dialog.getByText('Show as API').click();
    await dialog.getByText('at_date').first().waitFor();
    await expectAccessible(page, 'A phase as API');
    await dialog.getByRole('button', { name: 'Plan', exact: true }).click();
    await phases.getByRole('button', { name: 'Change' }).click();
    await dialog.getByLabel('At this date, also within a billing period').waitFor();
    expect(await dialog.getByLabel('At this date, also within a billing period').isChecked()).toBe(
      true,
    );
  });

  test('schedules a cheaper plan, shows its items, and cancels the change', async ({
    open,
    demo: { world },
  }) => {
    const { id } = await subscriptionOf(world, 'Cheaper Person', 'scale-month');
    const [{ page }, { page: second }] = [
      await open(`/subscriptions/${id}`),
      await open(`/subscriptions/${id}`),
    ];
    await ready(page);
    await ready(second);
    await page.getByRole('button', { name: 'Change plan' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Price' }).click();
    await page.getByRole('option', { name: /^Team: \$99\.00/ }).click();
    const amounts = dialog.getByRole('table', { name: 'Amounts of the change' });
    await amounts.getByRole('row', { name: /after the change Team \$99\.00/ }).waitFor();
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await second.getByText('After the scheduled change').waitFor();
    await second.getByText('The items change').waitFor();
    const cancel = await choose(second, 'Cancel the scheduled change');
    await cancel.getByRole('button', { name: 'Cancel the change' }).click();
    await page.getByText('After the scheduled change').waitFor({ state: 'detached' });
  });

  test('changes payment, name, features and trial, each seen in a second window', async ({
    open,
    demo: { world },
  }) => {
    const trialEnd = new Date(sessionOf(world).now.getTime() + 10 * day);
    const { id } = await subscriptionOf(world, 'Trial Person', 'starter-month', trialEnd);
    const [{ page }, { page: second, problems }] = [
      await open(`/subscriptions/${id}`),
      await open(`/subscriptions/${id}`),
    ];
    await ready(page);
    await ready(second);

    const rename = await choose(page, 'Rename');
    await rename.getByLabel('Name').fill('A very own plan');
    await rename.getByRole('button', { name: 'Rename' }).click();
    await second.getByRole('heading', { level: 1, name: 'A very own plan' }).waitFor();

    const cycle = await choose(page, 'Change the billing cycle');
    await cycle.getByLabel('Day of the month').fill('15');
    await cycle.getByLabel('Periods after this one').fill('6');
    await cycle.getByRole('button', { name: 'Change', exact: true }).click();
    await second.getByText('Periods repeat from').waitFor();
    await second.getByText('Periods after this one').waitFor();

    const payment = await choose(page, 'Change the payment');
    await payment.getByRole('combobox', { name: 'Payment', exact: true }).click();
    await page.getByRole('option', { name: 'Send invoices' }).click();
    await payment.getByLabel('Days until due').fill('21');
    await payment.getByRole('button', { name: 'Change', exact: true }).click();
    await second.getByText('Send invoice, due after 21 days').waitFor();

    await page.getByRole('button', { name: 'Add a feature' }).click();
    const add = page.getByRole('dialog');
    await add.getByRole('combobox', { name: 'Feature' }).click();
    await page.getByRole('option', { name: /^Priority support/ }).click();
    await add.getByRole('button', { name: 'Add', exact: true }).click();
    await second.getByText('Added by hand').waitFor();
    await second.getByRole('button', { name: 'Remove Priority support' }).click();
    await second.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Added by hand').waitFor({ state: 'detached' });

    const trial = await choose(page, 'Move the end of the trial');
    await trial.getByLabel('The trial ends').click();
    await page.getByRole('button', { name: 'Next month' }).click();
    await page.locator('table').getByText('28', { exact: true }).first().click();
    await page.keyboard.press('Escape');
    await trial.getByText('Subscription updated').waitFor();
    await trial.getByRole('button', { name: 'Move' }).click();
    await trial.waitFor({ state: 'detached' });
    await expectAccessible(second, 'a subscription in its trial');
    expect(problems).toEqual([]);
  });
});
