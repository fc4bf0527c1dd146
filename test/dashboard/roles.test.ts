import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'graphql';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { createApiKey } from '#domain/api-keys/create-api-key.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { type CallerScope, type OperatorRole, scopesOfRole } from '#domain/kernel/access-scopes.ts';
import { openSession } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';
import { rootFields } from '#schema/engine/access.ts';
import { mutationScopes } from '#schema/engine/access-table.ts';
import { sessionOf } from '../../src/demo/world.ts';
import { chromiumPath } from '../support/browser.ts';
import { test as base, ready } from '../support/dashboard.ts';
import { anInvitation, password } from '../support/operators.ts';

const source = path.join(import.meta.dirname, '..', '..', 'dashboard', 'src');

/** The texts of the files of the dashboard that match a pattern. */
async function textsOf(pattern: string) {
  const texts: string[] = [];
  for await (const file of glob(pattern, { cwd: source })) {
    if (!file.includes('.generated.')) texts.push(await readFile(path.join(source, file), 'utf8'));
  }
  return texts;
}

/** The scopes that each caller who signs in has. */
const scopesOfAll: readonly CallerScope[] = ['read', 'account_write'];

test('each mutation of the dashboard that a role may lack is named by a button', async () => {
  const names = (await textsOf('**/*.graphql'))
    .map((text) => parse(text))
    .flatMap((document) =>
      document.definitions.flatMap((one) =>
        'operation' in one && one.operation === 'mutation'
          ? [...rootFields(document, one.selectionSet)].map(({ name }) => name.value)
          : [],
      ),
    )
    .filter((name) => !scopesOfAll.some((scope) => scope === mutationScopes[name]));
  const text = (await textsOf('**/*.tsx')).join('\n');
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter((name) => !RegExp(`['"]${name}['"]`).test(text))).toEqual([]);
});

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
      '/customers',
      '/subscriptions',
      '/invoices',
      '/payments',
      '/usage',
      '/catalog',
      `/catalog/${world.scope.pricingModelId}`,
      '/webhooks',
      '/test-clocks',
      '/settings',
      '/settings/keys',
      '/settings/processors',
      '/settings/operators',
      `/customers/${invoice.customerId}`,
      `/customers/${invoice.customerId}?tab=access`,
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
    await page.getByLabel('Password', { exact: true }).fill(password);
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
  await add(page, main.locator('button:not([role="tab"]):not(th button)'), commands);
  const menus = main.locator('button[aria-haspopup="menu"]');
  for (const menu of (await menus.all()).slice(0, mostMenus)) {
    await menu.click();
    await page.getByRole('menu').waitFor();
    await add(page, page.getByRole('menuitem'), commands);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  }
  return commands;
}

const lackOf = /^Your (role \w+|key) does not have the scope (\w+)\.$/;

async function add(
  page: Page,
  elements: ReturnType<Page['locator']>,
  commands: Map<string, string | undefined>,
) {
  for (const element of await elements.all()) {
    const name = (await element.getAttribute('aria-label')) ?? (await element.innerText());
    if (commands.has(name)) continue;
    if ((await element.getAttribute('aria-disabled')) !== 'true') {
      commands.set(name, undefined);
      continue;
    }
    await element.focus();
    const reason = page.getByRole('tooltip').filter({ hasText: 'scope' });
    const [, , scope] = lackOf.exec(await reason.innerText()) ?? [];
    expect(scope, name).toBeDefined();
    commands.set(name, scope);
    await element.blur();
    await reason.waitFor({ state: 'detached' });
  }
}

describe.skipIf(!chromiumPath)('The buttons of a command', { timeout: 240_000 }, () => {
  test('are those that the role of the operator allows; the others name the scope', async ({
    paths,
    origin,
    signIn,
  }) => {
    const roles = ['support', 'owner', 'finance', 'developer'] as const;
    const pages = new Map<OperatorRole, Page>();
    for (const role of roles) pages.set(role, await signIn(role));
    const needed = new Set<string>();
    for (const at of paths) {
      const found = new Map<OperatorRole, Commands>();
      for (const [role, page] of pages) found.set(role, await commandsOf(page, origin + at));
      // A reader lacks each scope, so that its buttons name all of them.
      const all = found.get('support') ?? new Map();
      expect([...all.values()].some(Boolean), at).toBe(true);
      for (const scope of all.values()) if (scope) needed.add(scope);
      for (const role of roles) {
        const scopes: readonly string[] | null = scopesOfRole[role];
        const expected = [...all].map(([name, scope]) => [
          name,
          scopes === null || scopes.includes(scope) ? undefined : scope,
        ]);
        expect([...(found.get(role) ?? [])].sort(), `${role} at ${at}`).toEqual(expected.sort());
      }
    }
    expect([...needed].length).toBeGreaterThan(10);
  });

  test('open no dialog of a command for an operator who may only read', async ({
    paths,
    origin,
    signIn,
  }) => {
    const page = await signIn('support');
    for (const at of paths) {
      for (const [name, scope] of await commandsOf(page, origin + at)) {
        const button = page.getByRole('main').getByRole('button', { name, exact: true }).first();
        if (/^(Copy|More|Show as API|Actions of)/.test(name) || !(await button.isVisible())) continue;
        await button.click({ force: true });
        expect(await page.getByRole('region', { name: 'Preview' }).count(), `${at}: ${name}`).toBe(0);
        if (!scope) await page.keyboard.press('Escape');
      }
    }
  });

  test('are those that the scopes of a key allow, also after the key has got more', async ({
    demo: { world },
    origin,
    open,
  }) => {
    const { token } = await createApiKey(sessionOf(world), {
      apiKey: { name: 'Customers only', scopes: ['read', 'customers_write'] },
    });
    const { page } = await open('/customers', token);
    expect(await commandsOf(page, `${origin}/customers`)).toMatchObject(
      new Map([['New customer', undefined]]),
    );
    expect(await commandsOf(page, `${origin}/invoices`)).toMatchObject(
      new Map([['New invoice', 'invoices_write']]),
    );
  });
});
