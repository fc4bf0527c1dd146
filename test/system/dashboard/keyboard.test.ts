import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createPaymentMethod } from '#domain/money/commands/payment-methods/create-payment-method.ts';
import { createCustomer } from '#domain/platform/commands/customers/create-customer.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import { sessionOf } from '../../../src/tools/demo/world.ts';
import { inBrowser } from '../../support/browser.ts';
import { ready, test } from '../../support/screen/dashboard.ts';

const mostStops = 80;

/** The element with the focus: its name, and whether a person sees that it has the focus. */
const focused = `(() => {
  const at = document.activeElement;
  if (!at || at === document.body) return { name: '', isSeen: false };
  const style = getComputedStyle(at);
  const label = at.labels?.[0]?.textContent;
  return {
    name: (at.getAttribute('aria-label') ?? label ?? at.textContent ?? '').trim(),
    isSeen: style.outlineStyle !== 'none' || style.boxShadow !== 'none' ||
      at.matches('input, textarea') && style.borderColor !== 'rgba(0, 0, 0, 0)',
  };
})()`;

interface Focused {
  readonly name: string;
  readonly isSeen: boolean;
}

/** Presses Tab until an element with this name has the focus. Each stop on the way is visible. */
async function tabTo(page: Page, name: RegExp) {
  for (let stop = 0; stop < mostStops; stop++) {
    await page.keyboard.press('Tab');
    const at: Focused = await page.evaluate(focused);
    if (at.name) expect(at.isSeen, `the focus on ${at.name}`).toBe(true);
    if (name.test(at.name)) return;
  }
  throw new Error(`Tab does not reach ${name}`);
}

const focusOf = async (page: Page) => ((await page.evaluate(focused)) as Focused).name;

inBrowser('With the keyboard alone', () => {
  test('a person signs in, finds a customer, reads why an invoice is what it is, and changes the plan', async ({
    open,
    demo: { token, world },
  }) => {
    const { customer } = await createCustomer(sessionOf(world), {
      customer: {
        name: 'Keyboard Person',
        externalId: `keys-${crypto.randomUUID()}`,
        email: 'keys@example.com',
      },
    });
    const paymentMethod = {
      customerId: customer.id,
      type: 'card',
      token: 'sandbox_success',
      default: true,
    } as const;
    await createPaymentMethod(sessionOf(world), { paymentMethod });
    await createSubscription(sessionOf(world), {
      customerId: customer.id,
      priceSlug: 'starter-month',
    });

    const { page, problems } = await open('/', null);
    const { keyboard } = page;
    await page.getByLabel('Secret key').waitFor();
    await tabTo(page, /^Secret key/);
    await keyboard.type(token);
    await keyboard.press('Enter');
    await ready(page);

    await keyboard.press('Control+k');
    await expect.poll(() => focusOf(page)).toBe('Search');
    await keyboard.type('Keyboard');
    // Enter opens the marked record, which is the one that is found for the whole text.
    await page.locator('[data-selected]').getByText('Keyboard Person').waitFor();
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Keyboard Person' }).waitFor();
    await ready(page);

    await page.reload();
    await ready(page);
    await tabTo(page, /^Skip to the content/);
    await keyboard.press('Enter');
    await tabTo(page, /^Overview/);
    await keyboard.press('ArrowRight');
    expect(await focusOf(page)).toBe('Invoices');
    await ready(page);
    await tabTo(page, /^[0-9A-F]{7}-00000/);
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Invoice / }).waitFor();
    await tabTo(page, /^Explain the amounts/);
    await keyboard.press('Enter');
    await page.getByText('Starter').first().waitFor();
    await ready(page);

    await tabTo(page, /^Keyboard Person/);
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Keyboard Person' }).waitFor();
    await ready(page);
    await tabTo(page, /^Starter/);
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Starter' }).waitFor();
    await ready(page);
    await tabTo(page, /^Change plan/);
    await keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await tabTo(page, /^Price/);
    await keyboard.press('ArrowDown');
    await page.getByRole('option', { name: /^Team: \$99\.00/ }).waitFor();
    while (!/^Team: .99\.00/.test(await activeOption(page))) await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await dialog.getByText('Payment', { exact: true }).first().waitFor();
    await tabTo(page, /^Change$/);
    await keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
    expect(await focusOf(page)).toBe('Change plan');
    // The first request finds out that no one has signed in.
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  });
});

/** The option that Enter chooses. */
const activeOption = (page: Page): Promise<string> =>
  page.evaluate(
    `document.querySelector('[role="option"][data-combobox-selected]')?.textContent ?? ''`,
  );
