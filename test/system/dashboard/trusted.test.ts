import { expect } from 'vitest';
import { openSession } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { readTrustedDocuments } from '#server/operations/read-trusted-documents.ts';
import { inBrowser } from '../../support/browser.ts';
import { test as base, choose, ready } from '../../support/screen/dashboard.ts';

const test = base.extend('trustedDocuments', { scope: 'file' }, () =>
  readTrustedDocuments(
    { trustedDocumentsOnly: ['secret', 'publishable', 'customer_token'] },
    (line) => {
      throw new Error(line);
    },
  ),
);

inBrowser('Where only trusted documents are allowed', () => {
  test('the dashboard reads, follows, plans and executes, and another document is refused', async ({
    open,
    origin,
    demo: { world, token },
  }) => {
    const answer = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: '{"query":"{ organization { id } }"}',
    });
    expect((await answer.json()).errors[0].extensions.code).toBe('FORBIDDEN');

    const { em } = openSession(world.em, { ...world.scope, now: new Date() });
    const { id, subscription } = await em.findOneOrFail(Invoice, {
      status: 'paid',
      subscription: { $ne: null },
    });
    const lists = ['', 'customers', 'subscriptions', 'invoices', 'payments', 'usage', 'catalog'];
    const others = ['events', 'webhooks', 'test-clocks', 'settings', 'settings/keys'];
    for (const path of [...lists, ...others, `invoices/${id}?tab=explanation`]) {
      const { page, problems } = await open(`/${path}`);
      await ready(page);
      const alerts = page.locator('[role="alert"]').filter({ hasNotText: 'Verified now' });
      expect(await alerts.allInnerTexts(), path).toEqual([]);
      expect(problems, path).toEqual([]);
    }
    const { page } = await open(`/subscriptions/${subscription?.id}`);
    await ready(page);
    const rename = await choose(page, 'Rename');
    await rename.getByLabel('Name').fill('Trusted');
    await rename.getByText('Subscription updated').waitFor();
    await rename.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { level: 1, name: 'Trusted' }).waitFor();
  });
});
