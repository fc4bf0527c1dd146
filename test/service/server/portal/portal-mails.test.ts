import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { updateMailSettings } from '#domain/mail/commands/mails/update-mail-settings.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { aCustomer, fresh } from '../../../support/factories.ts';
import { formIn, linkOf, portalTest as test } from '../../../support/screen/portal.ts';

const offOf = async (session: Session, id: string) =>
  (await fresh(session).em.findOneOrFail(Customer, id)).mailsOff;

/** The part of a page with the mails; undefined without one. */
const partOf = (text: string) => /<h2 id="mails">.*?<\/section>/s.exec(text)?.[0];

describe('the mails of the portal', () => {
  test('are switched off and on by the customer, in both languages, and a form that is sent twice acts once', async ({
    api,
    session,
    visitor,
  }) => {
    const { id } = await aCustomer(session, { externalId: 'ada' });
    const visit = visitor();
    await visit(await linkOf(api));
    const before = await visit('/portal');
    const part = partOf(before.text) ?? '';
    expect(part.match(/>On</g)).toHaveLength(2);
    expect(part).toContain('Invoices, receipts and other mails about money or access are always');
    const off = formIn(part, 'mails-off', { id: 'alert' });
    expect(await visit('/portal/mails-off', off)).toMatchObject({
      location: '/portal?done=mails-off',
    });
    expect(await offOf(session, id)).toEqual(['alert']);
    const after = await visit('/portal?done=mails-off');
    expect(after.text).toContain('<p class="note" role="status">These mails are off.</p>');
    expect(partOf(after.text)).toContain('aria-label="Switch on: Mails about your usage"');
    const on = formIn(partOf(after.text) ?? '', 'mails-on', { id: 'alert' });
    expect(await visit('/portal/mails-on', on)).toMatchObject({ status: 303 });
    expect(await visit('/portal/mails-off', off)).toMatchObject({ status: 303 });
    expect(await offOf(session, id)).toEqual([]);
    const german = await visit('/portal', undefined, { 'accept-language': 'de' });
    expect(partOf(german.text)).toContain('aria-label="Abbestellen: Mails zu ablaufenden Karten"');
  });

  test('are only the optional kinds that the organization sends: other kinds are refused', async ({
    api,
    session,
    visitor,
  }) => {
    const { id } = await aCustomer(session, { externalId: 'ada' });
    const visit = visitor();
    await visit(await linkOf(api));
    const form = formIn((await visit('/portal')).text, 'mails-off', { id: 'alert' });
    const send = (kinds: readonly ('alert' | 'invoice')[]) =>
      updateMailSettings(fresh(session), { mailSettings: { kinds: [...kinds] } });
    await send(['alert', 'invoice']);
    expect(partOf((await visit('/portal')).text)?.match(/class="card"/g)).toHaveLength(1);
    await send(['invoice']);
    expect(partOf((await visit('/portal')).text)).toBeUndefined();
    for (const [kind, attempt] of [
      ['invoice', 'a'.repeat(16)],
      ['anything', 'b'.repeat(16)],
    ] as const) {
      const refused = await visit('/portal/mails-off', { ...form, id: kind, attempt });
      expect(refused.status, kind).toBe(400);
      expect(refused.text).toContain('role="alert"');
    }
    expect(await offOf(session, id)).toEqual([]);
  });

  test('are shown without buttons to a session that lacks the scope', async ({
    gateway,
    graphql,
    session,
  }) => {
    const { id } = await aCustomer(session, { externalId: 'ada' });
    const { data } = await graphql(
      'mutation($id: ID!) { createCustomerToken(customer: $id, scopes: [read]) { token } }',
      { id },
    );
    const { token } = data.createCustomerToken;
    const page = await gateway.fetch(`http://test/portal/in/${token}`);
    const part = partOf(await page.text()) ?? '';
    expect(part).toContain('Mails about your usage');
    expect(part).not.toContain('<button');
    expect(await offOf(session, id)).toEqual([]);
  });
});
