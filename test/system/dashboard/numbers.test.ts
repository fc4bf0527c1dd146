import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { createCustomer } from '#domain/platform/commands/customers/create-customer.ts';
import { sessionOf } from '../../../src/tools/demo/world.ts';
import { inBrowser } from '../../support/browser.ts';
import { test as base, expectAccessible, ready } from '../../support/screen/dashboard.ts';

/** Asks the API for what was stored. */
const test = base.extend('ask', ({ origin, demo }) => async (query: string) => {
  const headers = { authorization: demo.token, 'content-type': 'application/json' };
  const body = JSON.stringify({ query });
  const answer = await fetch(`${origin}/graphql`, { method: 'POST', headers, body });
  const { data, errors } = await answer.json();
  expect(errors).toBeUndefined();
  return data;
});

/** Replaces the text of a field as a paste does, by one change. */
async function paste(field: Locator, text: string) {
  await field.fill('');
  await field.focus();
  await field.page().keyboard.insertText(text);
}

/** Replaces the text of a field key by key. */
async function type(field: Locator, text: string) {
  await field.fill('');
  await field.pressSequentially(text);
}

/** The message below a field, which its input names. */
async function expectProblem(field: Locator, problem: string) {
  const messages = async () => {
    const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
    const texts = ids.map((id) => field.page().locator(`[id="${id}"]`).allInnerTexts());
    return (await Promise.all(texts)).flat();
  };
  await expect.poll(messages).toContain(problem);
  expect(await field.getAttribute('aria-invalid')).toBe('true');
}

const expectFocus = (field: Locator) =>
  expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);

async function pick(page: Page, field: Locator, option: string) {
  await field.click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function pickCurrency(page: Page, dialog: Locator, currency: string) {
  await dialog.getByRole('combobox', { name: 'Currency' }).fill(currency);
  await page.getByRole('option', { name: currency, exact: true }).click();
}

inBrowser('A field of a number', () => {
  test('stores amounts as they are pasted and typed, in currencies of 0, 2 and 3 decimals', async ({
    open,
    ask,
    demo: { world },
  }) => {
    const name = `Number Person ${Math.trunc(performance.now())}`;
    const customer = { name, externalId: name, email: 'number@example.com' };
    await createCustomer(sessionOf(world), { customer });
    const { page } = await open('/payments?tab=remittances');
    await ready(page);
    const cases = [
      ['USD', '1,5', 150, '1.50'],
      ['USD', '1.5', 150, '1.50'],
      ['USD', '1,234.56', 123_456, '1,234.56'],
      ['USD', '1.234,56', 123_456, '1,234.56'],
      ['USD', '1 234', 123_400, '1,234.00'],
      ['HUF', '15', 1_500, '15.00'],
      ['JPY', '1,234', 1_234, '1,234'],
      ['KWD', '1.2345', undefined, ''],
      ['KWD', '1.2340', 1_234, '1.2340'],
      ['KWD', '15', 15_000, '15'],
    ] as const;
    for (const [place, [currency, text, amount, shown]] of cases.entries()) {
      await page.getByRole('button', { name: 'By hand' }).click();
      await page.getByRole('menuitem', { name: 'Expect a payment' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Customer').first().fill(name);
      await page.getByRole('option', { name }).click();
      await pickCurrency(page, dialog, currency);
      const field = dialog.getByLabel('Amount');
      await (place % 2 === 0 ? paste : type)(field, text);
      await dialog.getByLabel('Reference').fill(`${name}, ${place}`);
      const button = dialog.getByRole('button', { name: 'Expect', exact: true });
      if (amount === undefined) {
        await expectProblem(field, 'Write an amount such as 12.50, with at most 3 decimals');
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Discard' }).click();
      } else {
        expect(await field.inputValue()).toBe(shown);
        await button.click();
      }
      await dialog.waitFor({ state: 'detached' });
    }
    const { remittances } = await ask(
      `{ remittances(first: 100, where: { reference: { contains: "${name}," } }) { nodes { amount currency } } }`,
    );
    expect(remittances.nodes).toEqual(
      cases.flatMap(([currency, , amount]) => (amount === undefined ? [] : [{ amount, currency }])),
    );
  });

  test('names the problem of any other text, keeps it, and blocks its form', async ({
    open,
    ask,
    demo,
  }) => {
    const { page, problems } = await open(`/catalog/${demo.world.scope.pricingModelId}`);
    await ready(page);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('createDiscount')) sent.push(request.postData() ?? '');
    });
    await page.getByRole('button', { name: 'New discount' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Exact');
    await dialog.getByLabel('Code').fill('exact');
    const percentage = dialog.getByLabel('Percentage', { exact: true });
    const create = dialog.getByRole('button', { name: 'Create', exact: true });
    const cases = [
      ['-5', 'It must be at least 0'],
      ['101', 'It must be at most 100'],
      ['1e1', 'Write a number such as 12.5, with at most 4 decimals'],
      ['1,5,0', 'Write a number such as 12.5, with at most 4 decimals'],
      ['0x10', 'Write a number such as 12.5, with at most 4 decimals'],
      ['١٢', 'Write a number such as 12.5, with at most 4 decimals'],
    ] as const;
    for (const enter of [paste, type]) {
      for (const [text, problem] of cases) {
        await enter(percentage, text);
        await expectProblem(percentage, problem);
        await dialog.getByText('Correct “Percentage” to see the effects.').waitFor();
        await dialog.getByLabel('Name').focus();
        await create.click();
        await expectFocus(percentage);
        await dialog.getByLabel('Name').press('Enter');
        await expectFocus(percentage);
        expect(await percentage.inputValue()).toBe(text);
      }
    }
    await expectAccessible(page, 'a number with a problem');
    expect(sent).toEqual([]);
    await paste(percentage, '12,5');
    await dialog.getByText('Discount created').waitFor();
    const payments = dialog.getByLabel('Payments');
    await pick(page, dialog.getByRole('combobox', { name: 'It reduces' }), 'A number of payments');
    await paste(payments, '2.5');
    await expectProblem(payments, 'Write a whole number');
    await create.click();
    await expectFocus(payments);
    await payments.fill('');
    await payments.press('ArrowUp');
    await payments.press('ArrowUp');
    await payments.press('ArrowUp');
    await payments.press('ArrowDown');
    expect(await payments.inputValue()).toBe('2');
    await dialog.getByText('Discount created').waitFor();
    await create.click();
    await dialog.waitFor({ state: 'detached' });
    const stored =
      '{ discounts(where: { code: { is: "EXACT" } }) { nodes { amount numberOfPayments } } }';
    const { discounts } = await ask(stored);
    expect(discounts.nodes).toEqual([{ amount: 12.5, numberOfPayments: 2 }]);
    expect(problems).toEqual([]);
  });

  test('keeps its text in another currency, and reads it with its decimals', async ({
    open,
    ask,
    demo,
  }) => {
    const { page } = await open(`/catalog/${demo.world.scope.pricingModelId}`);
    await ready(page);
    await page.getByRole('button', { name: 'New price of' }).first().click();
    const dialog = page.getByRole('dialog');
    const amount = dialog.getByLabel('Amount', { exact: true });
    const [least, most] = [dialog.getByLabel('At least'), dialog.getByLabel('At most')];
    await amount.fill('15.50');
    await least.fill('20');
    await most.fill('3,000');
    await pickCurrency(page, dialog, 'JPY');
    expect(await amount.inputValue()).toBe('15.50');
    await expectProblem(amount, 'Write an amount without decimals');
    await pickCurrency(page, dialog, 'KWD');
    expect(await amount.inputValue()).toBe('15.50');
    expect(await amount.getAttribute('data-value')).toBe('15500');
    await amount.fill('15.00');
    await dialog.getByLabel('Slug').fill('in-yen');
    await pickCurrency(page, dialog, 'JPY');
    expect(await amount.inputValue()).toBe('15');
    await dialog.getByText('Price created').waitFor();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const { prices } = await ask(
      '{ prices(where: { slug: { is: "in-yen" } }) { nodes { unitPrice currency minimumAmount maximumAmount } } }',
    );
    expect(prices.nodes).toEqual([
      { unitPrice: 15, currency: 'JPY', minimumAmount: 20, maximumAmount: 3_000 },
    ]);
  });

  test('loses an amount when its form hides it', async ({ open, demo }) => {
    const { page } = await open(`/catalog/${demo.world.scope.pricingModelId}`);
    await ready(page);
    await page.getByRole('button', { name: 'New price of' }).first().click();
    const dialog = page.getByRole('dialog');
    const model = dialog.getByRole('combobox', { name: 'Model' });
    const amount = dialog.getByLabel('Amount', { exact: true });
    const tier = dialog.getByRole('group', { name: 'Tier 1' });
    await amount.fill('15.00');
    await pick(page, model, 'Graduated: each unit costs the price of its tier');
    await tier.getByLabel('Each unit').fill('2.5');
    await tier.getByLabel('Fixed amount').fill('7');
    await pickCurrency(page, dialog, 'JPY');
    await pick(page, model, 'Each unit costs the same');
    expect(await amount.inputValue()).toBe('');
    await pick(page, model, 'Graduated: each unit costs the price of its tier');
    expect(await tier.getByLabel('Each unit').inputValue()).toBe('');
    expect(await tier.getByLabel('Fixed amount').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    const threshold = dialog.getByLabel('Threshold');
    const watches = dialog.getByRole('combobox', { name: 'Watches' });
    await threshold.fill('12.50');
    await pick(page, watches, 'Usage of a period');
    expect(await threshold.inputValue()).toBe('');
  });

  test('blocks its form in a section that is closed, which opens again', async ({ open }) => {
    const { page } = await open('/customers');
    await ready(page);
    await page.getByRole('button', { name: 'New customer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Closed');
    await dialog.getByLabel('E-mail').fill('closed@example.com');
    await dialog.getByLabel('Your id').fill('closed');
    const section = dialog.getByRole('button', { name: 'Payment' });
    await section.click();
    await pick(page, dialog.getByRole('combobox', { name: 'New subscriptions' }), 'Send invoices');
    const days = dialog.getByLabel('Days until due');
    await paste(days, '1e1');
    await section.click();
    await days.waitFor({ state: 'hidden' });
    await dialog.getByText('Correct “Days until due” to see the effects.').waitFor();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await expectFocus(days);
    await expectProblem(days, 'Write a whole number');
  });

  test('of several numbers keeps a bad entry, and blocks its form', async ({ open, ask }) => {
    const { page } = await open('/settings');
    await ready(page);
    await page
      .getByRole('region', { name: 'Organization' })
      .getByRole('button', { name: 'Edit' })
      .click();
    const dialog = page.getByRole('dialog');
    const days = dialog.getByLabel('Days after which a failed payment is tried again');
    for (const day of ['2.5', '1e1']) {
      await days.fill(day);
      await days.press('Enter');
      await dialog.getByText(`${day}: Write a whole number`, { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expectFocus(days);
      await days.press('Backspace');
    }
    await days.fill('21');
    await days.press('Enter');
    const hours = dialog.getByLabel('Hours for late usage');
    await paste(hours, '721');
    await expectProblem(hours, 'It must be at most 720');
    await paste(hours, '48');
    await dialog.getByText('Organization updated').first().waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { organization } = await ask('{ organization { dunningRetryDays draftWindowHours } }');
    expect(organization.dunningRetryDays.at(-1)).toBe(21);
    expect(organization.draftWindowHours).toBe(48);
  });

  test('of a filter is refused with the reason, and one in an address matches nothing', async ({
    open,
  }) => {
    const { page } = await open('/invoices');
    await ready(page);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('menuitem', { name: 'Total from' }).click();
    const field = page.getByLabel('Total from');
    await paste(field, '1e3');
    await field.press('Enter');
    await expectProblem(field, 'Write an amount such as 12.50, with at most 2 decimals');
    expect(new URL(page.url()).searchParams.has('min')).toBe(false);
    await paste(field, '1,5');
    await field.press('Enter');
    await page.getByText('Total from: 1,5').waitFor();
    await page.getByRole('row').nth(1).waitFor();
    await page.goto(`${new URL(page.url()).origin}/invoices?min=1e3`);
    await ready(page);
    await page.getByRole('alert').getByText('Total from: Write an amount such as 12.50').waitFor();
    await page.getByText('No invoice matches these conditions.').waitFor();
  });
});
