import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { pathOfObject } from '../../../dashboard/src/parts/texts/object-path.ts';
import { inBrowser } from '../../support/browser.ts';
import { test as base, ready } from '../../support/screen/dashboard.ts';
import { attack, writeAttacks } from '../../support/screen/markup.ts';

const test = base.extend('attacked', { scope: 'file' }, ({ database, demo: _ }) =>
  writeAttacks(database.databaseUrl),
);

/** Traces of a text that was taken for markup or for an address. */
const traces = `[...document.querySelectorAll(
  'img[src="x"], [onload], [onerror], [href^="javascript:" i], [src^="javascript:" i], [action^="javascript:" i]'
)].map((each) => each.outerHTML.slice(0, 200)).concat(window.isAttacked ? ['A script ran'] : [])`;

/** The problems that name a script, a style or an address that the policy has refused. */
const refusals = (problems: readonly string[]) =>
  problems.filter((problem) => /Content Security Policy|Refused to|javascript:/i.test(problem));

async function expectText(page: Page, problems: readonly string[], place: string) {
  expect(await page.evaluate(traces), place).toEqual([]);
  expect(refusals(problems), place).toEqual([]);
}

/** Closes what is open. A dialog that opens just now has no focus yet, and the key would not reach it. */
async function close(page: Page) {
  const dialogs = page.getByRole('dialog');
  const open = async () => {
    await page.keyboard.press('Escape');
    return dialogs.allInnerTexts();
  };
  await expect.poll(open).toEqual([]);
}

/** Opens each dialog of a page, also those of its menu. */
async function openDialogs(page: Page, problems: readonly string[], path: string) {
  const main = page.getByRole('main');
  const buttons = main.locator('button:not([role="tab"]):not(th button):not([disabled])');
  for (const name of new Set(await buttons.allInnerTexts())) {
    if (!name.trim() || /API|PDF|more/i.test(name)) continue;
    const button = buttons.filter({ hasText: name }).first();
    if ((await button.count()) === 0) continue;
    await button.click();
    await expectText(page, problems, `${path}: ${name}`);
    await close(page);
  }
  const menu = main.getByRole('button', { name: 'More actions' });
  if ((await menu.count()) === 0) return;
  await menu.click();
  const actions = await page.locator('[role="menuitem"]:not([disabled])').allInnerTexts();
  await page.keyboard.press('Escape');
  for (const action of actions) {
    await menu.click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
    await expectText(page, problems, `${path}: ${action}`);
    await close(page);
  }
}

inBrowser('Texts with markup in each field', () => {
  test('are in the fields that people fill', ({ attacked: { columns } }) => {
    expect(columns).toEqual(
      expect.arrayContaining([
        'customer.name',
        'customer.metadata',
        'product.name',
        'product.description',
        'feature.name',
        'resource.name',
        'usage_meter.name',
        'price.name',
        'discount.name',
        'invoice.memo',
        'invoice_line_item.description',
        'payment.failure_message',
        'remittance.note',
        'resource_claim.external_id',
        'subscription.name',
        'test_clock.name',
        'usage_event.properties',
        'organization_settings.legal_name',
      ]),
    );
  });

  test.for([
    '/',
    '/customers',
    '/subscriptions',
    '/invoices',
    '/invoices?tab=credit-notes',
    '/payments',
    '/payments?tab=failing',
    '/payments?tab=remittances',
    '/payments?tab=refunds',
    '/payments?tab=disputes',
    '/usage?by=region',
    '/usage?tab=credits',
    '/catalog',
    '/events',
    '/webhooks',
    '/test-clocks',
    '/settings',
    '/settings/keys',
    '/settings/processors',
    '/settings/mail',
    '/settings/jobs',
  ])('are texts on %s and in its dialogs', async (path, { open, attacked: _ }) => {
    const { page, problems } = await open(path);
    await ready(page);
    await expectText(page, problems, path);
    await openDialogs(page, problems, path);
  });

  test.for([
    ['Customer', 'customer', ['credit-notes', 'remittances', 'access', 'events']],
    ['Subscription', 'subscription', ['events']],
    ['Invoice', 'invoice', ['explanation', 'events']],
    ['CreditNote', 'credit_note', []],
    ['Payment', 'payment', []],
    ['Remittance', 'remittance', []],
    ['TestClock', 'test_clock', []],
    ['UsageEvent', 'usage_event', []],
    ['PricingModel', 'pricing_model', []],
  ] as const)(
    'are texts on the page of a %s and in its dialogs',
    async ([type, table, tabs], { open, attacked: { idOf } }) => {
      const path = pathOfObject(type, await idOf(table)) ?? '';
      const { page, problems } = await open(path);
      await ready(page);
      if (type === 'Customer') await page.getByText(attack).first().waitFor();
      await expectText(page, problems, path);
      await openDialogs(page, problems, path);
      for (const tab of tabs) {
        await page.goto(`${new URL(page.url()).origin}${path}?tab=${tab}`);
        await ready(page);
        await expectText(page, problems, `${path}, ${tab}`);
      }
    },
  );

  test('are texts on the pages of the portal', async ({ open, origin, demo, attacked: _ }) => {
    const ask = async (query: string, variables = {}) => {
      const headers = { authorization: demo.token, 'content-type': 'application/json' };
      const body = JSON.stringify({ query, variables });
      const answer = await fetch(`${origin}/graphql`, { method: 'POST', headers, body });
      return (await answer.json()).data;
    };
    const [{ externalId }] = (
      await ask('{ subscriptions(first: 1) { nodes { customer { externalId } } } }')
    ).subscriptions.nodes.map(({ customer }: { customer: object }) => customer);
    const { customerBilling } = await ask(
      'query($id: String!) { customerBilling(externalId: $id) { billingPortalUrl } }',
      { id: externalId },
    );
    const { pathname, search } = new URL(customerBilling.billingPortalUrl);
    const { page, problems } = await open(pathname + search, null);
    await page.getByText(attack).first().waitFor();
    await expectText(page, problems, 'the portal');
    await page.locator('a[href*="/portal/change"]').first().click();
    await page.getByText(attack).first().waitFor();
    await expectText(page, problems, 'the change of plan');
  });
});
