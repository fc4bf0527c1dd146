import { expect } from 'vitest';
import { openSession } from '#domain/kernel/session.ts';
import { switchMails } from '#domain/mail/commands/mails/switch-mails.ts';
import { Mail } from '#domain/model/mail/mail.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { inBrowser } from '../../support/browser.ts';
import { aMailer } from '../../support/mails.ts';
import { expectAccessible, ready, test } from '../../support/screen/dashboard.ts';

inBrowser('The page of mails', () => {
  test('switches a kind off, and saves a template that it shows as a mail before', async ({
    open,
  }) => {
    const { page, problems } = await open('/settings/mail');
    await ready(page);
    await page.getByText('Test mode sends no mails').waitFor();
    await page.getByRole('button', { name: 'Switch off: Alert' }).click();
    const off = page.getByRole('dialog').getByRole('button', { name: 'Switch off', exact: true });
    await off.click();
    await page.getByRole('button', { name: 'Switch on: Alert' }).waitFor();

    await page.getByRole('button', { name: 'Edit the template' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Subject').fill('Pay {{invoice.number}} soon');
    await dialog.getByText('Pay A1B2C3D-0001 soon').waitFor();
    const mail = dialog.frameLocator('iframe[title="Preview of the mail"]');
    await mail.getByText('The amount due is €49.00').waitFor();
    const button = await page.evaluate(
      `document.querySelector('iframe').contentDocument.querySelector('a').style.backgroundColor`,
    );
    expect(button).toBe('rgb(31, 79, 216)');
    await dialog
      .getByLabel('Body in MJML')
      .fill('<mjml>\n<mj-body>{{invoice.numbr}}</mj-body></mjml>');
    await dialog.getByText('line 2 has the unknown variable invoice.numbr').first().waitFor();
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog
      .getByLabel('Body in MJML')
      .fill('<mjml><mj-body>{{invoice.number}}</mj-body></mjml>');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('table', { name: 'Templates' }).getByText('Invoice').waitFor();
    await expectAccessible(page, 'the settings of mails');
    expect(problems).toEqual([]);
  });

  test('of a customer shows what it would have received, and sends it again', async ({
    database: { orm },
    open,
  }) => {
    await aMailer(orm).send();
    const em = orm.em.fork();
    const anyTenant = { filters: { tenant: false } };
    const caught = await em.findOneOrFail(Mail, { kind: 'receipt', status: 'caught' }, anyTenant);
    const customer = await em.findOneOrFail(Customer, caught.customerId, anyTenant);
    const { page, problems } = await open(`/customers/${customer.id}?tab=mails`);
    await ready(page);
    await page
      .getByRole('button', { name: caught.subject ?? '' })
      .first()
      .click();
    const drawer = page.getByRole('dialog');
    await drawer.frameLocator('iframe').getByText('Thank you for your payment').waitFor();
    await drawer.getByText(customer.email).waitFor();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Resend' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
    await page.getByText('The mail is sent again').waitFor();
    await expectAccessible(page, 'the mails of a customer');
    expect(problems).toEqual([]);
  });

  test('of a customer has the switches of its optional kinds, which change by themselves', async ({
    demo: { world },
    open,
  }) => {
    const session = () => openSession(world.em, { ...world.scope, now: new Date() });
    const [customer] = await session().em.find(Customer, { archived: false }, { limit: 1 });
    const id = customer?.id ?? '';
    const { page, problems } = await open(`/customers/${id}?tab=mails`);
    await ready(page);
    const switches = page.getByRole('table', { name: 'Optional mails' });
    expect(await switches.getByRole('row').count()).toBe(2);
    await switches.getByRole('button', { name: 'Switch off: Alert' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Switch off', exact: true }).click();
    await switches.getByRole('button', { name: 'Switch on: Alert' }).waitFor();
    const { mailsOff } = await session().em.findOneOrFail(Customer, id);
    expect(mailsOff).toEqual(['alert']);
    // The customer switches another kind off meanwhile.
    await switchMails(session(), { customerId: id, off: ['card_expiring'] });
    await switches.getByRole('button', { name: 'Switch on: Card expiring' }).waitFor();
    await expectAccessible(page, 'the switches of a customer');
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByText('Card expiring, Alert').waitFor();
    expect(problems).toEqual([]);
  });
});
