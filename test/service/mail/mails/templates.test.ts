import { describe, expect } from 'vitest';
import { compileMjml } from '#domain/mail/commands/mails/compile-mjml.ts';
import { shippedLanguages } from '#domain/mail/commands/mails/languages.ts';
import { sampleOf } from '#domain/mail/commands/mails/sample-variables.ts';
import { usualTemplate } from '#domain/mail/commands/mails/usual-template.ts';
import { isOptional, mailKinds } from '#domain/model/mail/mail-kinds.ts';
import { aCustomer, aPaidInvoice } from '../../../support/factories.ts';
import { aMailer, mailsOf } from '../../../support/mails.ts';
import { testAlone } from '../../../support/test.ts';
import { aTimedSubscription } from '../../../support/timeline.ts';

const test = testAlone('a mailer sends the mails of all organizations');

const body = (text: string) =>
  `<mjml><mj-body><mj-section><mj-column>\n<mj-text>${text}</mj-text></mj-column></mj-section></mj-body></mjml>`;

const save = `mutation($template: MailTemplateInput!, $language: String!) {
  saveMailTemplate(kind: receipt, language: $language, template: $template) { mailTemplate { id subject mjml text version } } }`;

const preview = `mutation($language: String, $customer: ID, $template: MailTemplateInput) {
  previewMail(kind: receipt, language: $language, customer: $customer, template: $template) { mailPreview {
    language from to subject text html } } }`;

const issuesOf = ({ errors }: { errors?: readonly { extensions: { issues: object[] } }[] }) =>
  errors?.[0]?.extensions.issues;

describe('a template of the organization', () => {
  test('is used for mails in its language, and no value becomes markup', async ({
    api,
    database: { orm },
    graphql,
    session,
  }) => {
    const subject = 'Paid:\n {{invoice.number}} & {{customer.name}}';
    const template = { subject, mjml: body('Dear {{customer.name}}, <b>thanks</b>') };
    const { data } = await graphql(save, { language: 'en', template });
    expect(data.saveMailTemplate.mailTemplate).toMatchObject({ text: null, version: 1 });
    const name = '<script>alert(1)</script> "Ada" & {{seller.name}}';
    const created = await api('POST', '/customers', {
      customer: { name, email: 'ada@example.com', externalId: 'markup', language: 'en-GB' },
    });
    const customerId = created.body.data.customer.id;
    const { invoiceNumber } = await aPaidInvoice(session, { customerId });
    await aMailer(orm).send();
    const [mail] = await mailsOf(session);
    // A word joiner keeps programs from making a link of a domain.
    const shown = name.replace('seller.', 'seller.\u2060');
    expect(mail?.subject).toBe(`Paid: ${invoiceNumber} & ${shown}`);
    expect(mail?.html).toContain(
      'Dear &lt;script&gt;alert(1)&lt;/script&gt; &quot;Ada&quot; &amp; {{seller.\u2060name}}, <b>thanks</b>',
    );
    // The plain text is the usual one, and shows the name as it is.
    expect(mail?.text).toContain(`Hello ${shown},`);
    const rest = await api('GET', `/mails/${mail?.id}`);
    expect(rest.body.mail).toMatchObject({ to: 'ada@example.com', status: 'caught' });
    expect(rest.body.mail.html).toBe(mail?.html);
    const listed = await graphql(
      `query($id: ID!) { customer(id: $id) { language mails(first: 5) { nodes { kind status html object { id } event { type } } } } }`,
      { id: customerId },
    );
    expect(listed.data.customer).toMatchObject({
      language: 'en-GB',
      mails: { nodes: [{ kind: 'receipt', status: 'caught', event: { type: 'invoice.paid' } }] },
    });
  });

  test.for([
    [
      '{{invoice.numbr}}',
      'mjml',
      /^line 2 has the unknown variable invoice.numbr; the variables are /,
    ],
    [
      '\n{{#invoice.number}}',
      'mjml',
      /^line 3 has a variable that is not closed: Unclosed section/,
    ],
    ['{{{customer.name}}}', 'mjml', /^line 2 has customer.name without escaping/],
    ['{{> other}}', 'mjml', /^line 2 has the part other/],
    ['{{customer.constructor}}', 'mjml', /^line 2 has the unknown variable customer.constructor/],
    ['\n<mj-include path="/etc/passwd" />', 'mjml', /^line 3 has the element mj-include/],
    ['</mj-text><mj-buton>', 'mjml', /^line 2 has the element mj-buton, which MJML does not have/],
    ['</mj-text><mj-text>', 'mjml', undefined],
    ['\n\n<b>', 'mjml', /^line [34] /],
    ['<b>'.repeat(5_000), 'mjml', /^line 2 has more than 100 nested elements/],
  ] as const)(
    'with %j is refused with the line and the reason',
    async ([text, field, reason], { graphql }) => {
      const template = { subject: 'Paid', mjml: body(text) };
      const answer = await graphql(save, { language: 'en', template });
      if (!reason) return expect(answer.errors).toBeUndefined();
      const issues = issuesOf(answer) as { path: string[]; message: string }[];
      expect(issues[0]?.path).toEqual(['template', field]);
      expect(issues[0]?.message).toMatch(reason);
      expect(issuesOf(await graphql(preview, { template }))).toEqual(issues);
    },
  );

  test('expects its version, and is deleted so that the usual texts apply again', async ({
    api,
  }) => {
    const path = '/mail-templates/receipt/de';
    const usual = await api('GET', path);
    expect(usual.body.mailTexts).toMatchObject({ template: null, language: 'de' });
    const template = { subject: 'Bezahlt', mjml: body('Danke') };
    const saved = await api('PUT', path, { template });
    expect(saved.body.mailTemplate).toMatchObject({ kind: 'receipt', language: 'de' });
    const stale = await api('PUT', path, { template }, { headers: { 'if-match': '"7"' } });
    expect(stale.body.issues).toMatchObject([
      { message: expect.stringContaining('has version 1') },
    ]);
    const present = await api('GET', path);
    expect(present.body.mailTexts.template.id).toBe(saved.body.mailTemplate.id);
    await api('DELETE', path);
    expect((await api('GET', path)).body).toEqual(usual.body);
    expect((await api('DELETE', path)).status).toBe(404);
    expect((await api('PUT', '/mail-templates/receipt/d', { template })).status).toBe(400);
  });
});

describe('the settings', () => {
  test('have a switch for each kind, and null removes the sender', async ({ api }) => {
    const before = (await api('GET', '/mail-settings')).body.mailSettings;
    expect(before).toMatchObject({ delivery: 'caught', kinds: mailKinds, language: 'en' });
    const given = { fromName: 'Tolls', replyTo: 'help@example.com', kinds: ['alert', 'receipt'] };
    const changed = await api('PUT', '/mail-settings', { mailSettings: given });
    expect(changed.body.mailSettings).toMatchObject({ ...given, kinds: ['receipt', 'alert'] });
    const removed = await api('PUT', '/mail-settings', { mailSettings: { fromName: null } });
    expect(removed.body.mailSettings).toMatchObject({ fromName: null, replyTo: given.replyTo });
    const refused = await api('PUT', '/mail-settings', {
      mailSettings: { fromAddress: 'nobody', language: 'german' },
    });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toMatch(/fromAddress.*language/s);
  });
});

describe('the texts of the service', () => {
  test.for(
    shippedLanguages.flatMap((language) => mailKinds.map((kind) => [kind, language] as const)),
  )('%s in %s fill in all their variables', async ([kind, language], { graphql }) => {
    const source = usualTemplate(kind, language);
    expect(compileMjml(source.mjml)).toHaveProperty('html');
    const { data, errors } = await graphql(
      `mutation($language: String!) { previewMail(kind: ${kind}, language: $language) { mailPreview {
          language from to subject text html } } }`,
      { language },
    );
    expect(errors).toBeUndefined();
    const { subject, text, html } = data.previewMail.mailPreview;
    expect(subject + text + html).not.toMatch(/\{\{|undefined|null/);
    expect(html).toContain(sampleOf(kind, language).links?.portal?.split('?')[0]);
  });

  test.for(mailKinds)(
    'and own texts of %s name the switch where the kind is optional',
    async (kind, { graphql }) => {
      const document = `mutation($kind: MailKind!, $template: MailTemplateInput) {
      previewMail(kind: $kind, language: "en", template: $template) { mailPreview { text html } } }`;
      const { data } = await graphql(document, { kind });
      const own = { subject: 'Hello', mjml: body('<a href="{{links.mailSwitch}}">Stop</a>') };
      const answer = await graphql(document, { kind, template: own });
      if (!isOptional(kind)) {
        expect(
          `${data.previewMail.mailPreview.text}${data.previewMail.mailPreview.html}`,
        ).not.toContain('mail-switch');
        return expect(issuesOf(answer)).toMatchObject([{ path: ['template', 'mjml'] }]);
      }
      const address = 'https://billing.example.com/mail-switch/sample';
      expect(data.previewMail.mailPreview.text).toContain(
        `Switch off mails of this kind:\n${address}`,
      );
      for (const { html } of [data.previewMail.mailPreview, answer.data.previewMail.mailPreview]) {
        expect(html).toContain(`<a href="${address}"`);
      }
    },
  );

  test('are previewed with the name and the language of a customer', async ({ api, graphql }) => {
    const customer = { name: 'Grete', email: 'g@example.com', externalId: 'g', language: 'de' };
    const { id } = (await api('POST', '/customers', { customer })).body.data.customer;
    const { data } = await graphql(preview, { customer: id });
    expect(data.previewMail.mailPreview).toMatchObject({ language: 'de', to: 'g@example.com' });
    expect(data.previewMail.mailPreview.text).toContain('Guten Tag Grete,');
    expect(issuesOf(await graphql(preview, { customer: 'cust_x' }))).toMatchObject([
      { code: 'NOT_FOUND', path: ['customer'] },
    ]);
  });
});

describe('a preview about an object', () => {
  const about = `mutation($kind: MailKind!, $about: ID!, $customer: ID) {
    previewMail(kind: $kind, about: $about, customer: $customer) { mailPreview { to subject text html } } }`;

  test('has the figures of an invoice and of a subscription, and links that sign nobody in', async ({
    graphql,
    session,
  }) => {
    const subscription = await aTimedSubscription(session, { paid: true, unitPrice: 12_345 });
    const invoice = await aPaidInvoice(session, { lines: [{ quantity: 3, price: 777 }] });
    const receipt = await graphql(about, { kind: 'receipt', about: invoice.id });
    expect(receipt.data.previewMail.mailPreview.subject).toContain(invoice.invoiceNumber);
    expect(receipt.data.previewMail.mailPreview.text).toContain('$23.31');
    expect(receipt.data.previewMail.mailPreview.to).toBe('ada@example.com');
    const renewal = await graphql(about, { kind: 'renewal_upcoming', about: subscription.id });
    expect(renewal.data.previewMail.mailPreview.text).toContain('$123.45');
    for (const { html, text } of [
      receipt.data.previewMail.mailPreview,
      renewal.data.previewMail.mailPreview,
    ]) {
      expect(`${html}${text}`).toContain('https://billing.example.com/');
      expect(`${html}${text}`).not.toMatch(/open\/(?!sample)|signature=/);
    }
  });

  test('is refused for an unknown object, one of another kind, and one of another customer', async ({
    graphql,
    session,
  }) => {
    const invoice = await aPaidInvoice(session);
    const { id: customer } = await aCustomer(session);
    for (const [variables, issue] of [
      [
        { kind: 'receipt', about: 'inv_unknown' },
        { code: 'NOT_FOUND', path: ['about'] },
      ],
      [
        { kind: 'alert', about: invoice.id },
        { code: 'NOT_FOUND', path: ['about'] },
      ],
      [
        { kind: 'receipt', about: invoice.id, customer },
        { code: 'MISMATCH', path: ['customer'] },
      ],
    ] as const) {
      expect(issuesOf(await graphql(about, variables))).toMatchObject([issue]);
    }
  });
});
