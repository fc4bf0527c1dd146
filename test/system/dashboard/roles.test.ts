import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type OperatorRole, scopesOfRole } from '#domain/kernel/access-scopes.ts';
import { openSession } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { createApiKey } from '#domain/platform/commands/api-keys/create-api-key.ts';
import { sessionOf } from '../../../src/tools/demo/world.ts';
import { inBrowser } from '../../support/browser.ts';
import { anInvitation, password } from '../../support/operators.ts';
import { test as base, ready } from '../../support/screen/dashboard.ts';

/** A button or an item of a menu, by its page and its name, and the scope whose lack disables it. */
type Commands = ReadonlyMap<string, string | undefined>;

const test = base
  .extend('paths', async ({ demo: { world } }) => {
    const { em } = openSession(world.em, { ...world.scope, now: new Date() });
    const invoice = await em.findOneOrFail(Invoice, {
      status: 'paid',
      subscription: { status: 'active' },
    });
    const payment = await em.findOneOrFail(Payment, { status: 'succeeded', refundedAmount: 0 });
    return [
      `/catalog/${world.scope.pricingModelId}`,
      '/webhooks',
      '/settings',
      '/settings/keys',
      `/customers/${invoice.customerId}`,
      `/subscriptions/${invoice.subscription?.id}`,
      `/invoices/${invoice.id}`,
      `/payments/${payment.id}`,
      `/test-clocks/${world.clockId}`,
    ];
  })
  .extend('signIn', ({ demo: { world }, database, origin, open }) => async (role: OperatorRole) => {
    const { token, email } = await anInvitation(database.orm, world.scope.organizationId, { role });
    const accepted = await fetch(`${origin}/auth/invitations/accept`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ token, name: 'Ada', password }),
    });
    expect(accepted.status).toBe(200);
    const { page } = await open('/', null);
    await page.getByLabel('E-mail').waitFor();
    const model = JSON.stringify(world.scope.pricingModelId);
    await page.evaluate(`sessionStorage.setItem('tollgate.pricing-model', ${model})`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await ready(page);
    return page;
  });

const mostMenus = 3;

/** All buttons and items of menus on a page. */
async function commandsOf(page: Page, url: string): Promise<Commands> {
  const permissions = page.waitForResponse((response) =>
    (response.request().postData() ?? '').includes('refusedMutations'),
  );
  await page.goto(url);
  await permissions;
  await ready(page);
  const commands = new Map<string, string | undefined>();
  const main = page.getByRole('main');
  await add(main.locator('button:not([role="tab"]):not(th button)'), commands);
  const menus = main.locator('button[aria-haspopup="menu"]');
  for (const menu of (await menus.all()).slice(0, mostMenus)) {
    await menu.click();
    await page.getByRole('menu').waitFor();
    await add(page.getByRole('menuitem'), commands);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  }
  return commands;
}

const lackOf = /^Your (role \w+|key) does not have the scope (\w+)\.$/;

async function add(
  elements: ReturnType<Page['locator']>,
  commands: Map<string, string | undefined>,
) {
  for (const element of await elements.all()) {
    const name = (await element.getAttribute('aria-label')) ?? (await element.innerText());
    if (commands.has(name)) continue;
    const isRefused = (await element.getAttribute('aria-disabled')) === 'true';
    const reason = await element.getAttribute('aria-description');
    const [, , scope] = lackOf.exec(reason ?? '') ?? [];
    expect(scope !== undefined, name).toBe(isRefused);
    commands.set(name, scope);
  }
}

inBrowser(
  'The buttons of a command',
  () => {
    test('are those that the role of the operator allows; the others name the scope', async ({
      paths,
      origin,
      signIn,
    }) => {
      const support = await signIn('support');
      const finance = await signIn('finance');
      const scopes: readonly string[] = scopesOfRole.finance ?? [];
      const needed = new Set<string>();
      for (const at of paths) {
        // This role lacks each scope that writes, so that its buttons name all of them.
        const all = await commandsOf(support, origin + at);
        expect([...all.values()].some(Boolean), at).toBe(true);
        for (const scope of all.values()) if (scope) needed.add(scope);
        // A part of a page may be there on one of the two only, because it is read later.
        for (const [name, scope] of await commandsOf(finance, origin + at)) {
          const lacked = all.get(name);
          const expected = lacked && scopes.includes(lacked) ? undefined : lacked;
          if (all.has(name)) expect(scope, `${name} at ${at}`).toBe(expected);
        }
      }
      expect(needed.size).toBeGreaterThan(10);
    });

    test('are those that the scopes of a key allow, and the others open no dialog', async ({
      demo: { world },
      origin,
      open,
    }) => {
      const { token } = await createApiKey(sessionOf(world), {
        apiKey: { name: 'Customers only', scopes: ['read', 'customers_write'] },
      });
      const { page } = await open('/customers', token);
      expect(await commandsOf(page, `${origin}/customers`)).toContainEqual([
        'New customer',
        undefined,
      ]);
      expect(await commandsOf(page, `${origin}/invoices`)).toContainEqual([
        'New invoice',
        'invoices_write',
      ]);
      const button = page.getByRole('button', { name: 'New invoice' });
      await button.hover();
      await page.getByRole('tooltip').getByText('Your key does not have the scope').waitFor();
      await button.click({ force: true });
      expect(await page.getByRole('dialog').count()).toBe(0);
    });
  },
  240_000,
);
