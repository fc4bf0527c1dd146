// @module-tag long
import { describe, expect, onTestFinished } from 'vitest';
import { payInvoices } from '#domain/invoicing/commands/invoices/pay-invoices.ts';
import { finalizeInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { useServiceUrl } from '#domain/kernel/service-url.ts';
import { resendMail } from '#domain/mail/commands/mails/resend-mail.ts';
import { updateMailSettings } from '#domain/mail/commands/mails/update-mail-settings.ts';
import { Mail } from '#domain/model/mail/mail.ts';
import { recordPayment } from '#domain/money/commands/remittances/record-payment.ts';
import { mailSwitchLink } from '#domain/platform/access/mail-switch-link.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { readDatabaseGauges } from '#server/metrics/database-gauges.ts';
import { aDraft, anOpenInvoice, aPaidInvoice, aResource, fresh } from '../../support/factories.ts';
import { aCardMail, aMailer, aSendingSession, aSentInvoice, mailsOf } from '../../support/mails.ts';
import { aMailServer, answer, bodyOf, headerOf } from '../../support/outside/mail-server.ts';
import { lockFeed } from '../../support/servers/locked-feed.ts';
import { aTenant } from '../../support/tenant.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const hour = 3_600_000;
const later = (hours: number) => new Date(Date.now() + hours * hour);
const paid = (invoiceId: string) =>
  ({ invoiceId, amount: 1_000, method: 'bank_transfer' }) as const;

describe('mails of live mode', () => {
  test('are sent once for each event, however many processes sweep at a time', async ({
    database: { orm },
    session,
  }) => {
    const live = await aSendingSession(session);
    const server = await aMailServer();
    const invoice = await aSentInvoice(live);
    const mailers = [1, 2, 3].map(() => aMailer(orm, server.url));
    await Promise.all(mailers.map((mailer) => mailer.send()));
    await recordPayment(fresh(live), paid(invoice.id));
    await Promise.all(mailers.map((mailer) => mailer.send()));
    await Promise.all(mailers.map((mailer) => mailer.send(later(100))));
    const own = server.received.filter(({ source }) => source.includes(invoice.invoiceNumber));
    expect(own.map((mail) => headerOf(mail, 'Subject'))).toEqual([
      `Invoice ${invoice.invoiceNumber} from Test`,
      `Receipt for invoice ${invoice.invoiceNumber} from Test`,
    ]);
    const [first] = own;
    expect(first).toMatchObject({ from: 'billing@tolls.example', to: ['ada@example.com'] });
    const [mail] = await mailsOf(live);
    expect(first && headerOf(first, 'Message-ID')).toBe(`<${mail?.id}.0@tolls.example>`);
    expect(first && headerOf(first, 'From')).toBe('Test <billing@tolls.example>');
    expect(mail).toMatchObject({ status: 'sent', attemptCount: 1, problem: null, kind: 'invoice' });
    expect(mail?.attempts[0]).toMatchObject({
      error: null,
      response: expect.stringMatching(/^250/),
    });
  });

  test('are sent although the feed of another organization cannot be read', async ({
    database: { orm, databaseUrl },
    session,
  }) => {
    const live = await aSendingSession(session);
    const server = await aMailServer();
    const { session: other } = await aTenant(orm.em);
    await sequenceEvents(fresh(other).em);
    await using lock = await lockFeed(databaseUrl, other);
    await aResource(other);
    await aSentInvoice(live);
    const mailer = aMailer(orm, server.url);
    const swept = mailer.sweep(new Date());
    await expect.poll(() => lock.endWaiting()).toBe(1);
    await swept;
    await mailer.settled();
    expect(await mailsOf(live)).toMatchObject([{ status: 'sent' }]);
    expect(mailer.failures).toHaveLength(1);
  });

  test('are written in the language of the customer, with its way to write money and days', async ({
    database: { orm },
    session,
  }) => {
    const live = await aSendingSession(session, ['invoice']);
    const server = await aMailServer();
    await aSentInvoice(live, { language: 'de-AT' });
    await aMailer(orm, server.url).send();
    const [mail] = await mailsOf(live);
    expect(mail?.language).toBe('de');
    expect(mail?.subject).toMatch(/^Rechnung .* von Test$/);
    expect(mail?.text).toContain('Der offene Betrag ist $ 10,00.');
    expect(mail?.html).toContain('/portal/open/');
    expect(mail?.html).not.toContain('{{');
    expect(mail?.text).not.toMatch(/\{\{|undefined/);
  });

  test('are tried again after a 4xx answer and after a cut connection, and sent once then', async ({
    database: { orm },
    session,
  }) => {
    const live = await aSendingSession(session, ['invoice']);
    const turns = ['421', 'cut', 'accept'];
    const server = await aMailServer({
      onConnect(_connection, done) {
        if (turns[0] !== 'cut') return done();
        turns.shift();
        return done(answer(421, 'closing'));
      },
      async onContent() {
        if (turns.shift() === '421') throw answer(421, 'try again');
      },
    });
    await aSentInvoice(live);
    const mailer = aMailer(orm, server.url);
    await mailer.send();
    expect(await mailsOf(live)).toMatchObject([
      { status: 'pending', attemptCount: 1, problem: expect.stringContaining('421') },
    ]);
    expect(await mailer.send(new Date())).toBe(0);
    await mailer.send(later(0.1));
    await mailer.send(later(1));
    await mailer.send(later(100));
    expect(server.received).toHaveLength(1);
    expect(await mailsOf(live)).toMatchObject([{ status: 'sent', attemptCount: 3, problem: null }]);
  });

  test('fail for good with the reason when the server refuses the recipient, until they are resent', async ({
    database: { orm },
    session,
  }) => {
    const live = await aSendingSession(session, ['invoice']);
    let refuses = true;
    const server = await aMailServer({
      onRcptTo: (_address, _session, done) =>
        done(refuses ? answer(550, 'No such mailbox') : undefined),
    });
    await aSentInvoice(live);
    const mailer = aMailer(orm, server.url);
    await mailer.send();
    const [mail] = await mailsOf(live);
    expect(mail).toMatchObject({
      status: 'failed',
      nextAttemptAt: null,
      problem: expect.stringContaining('No such mailbox'),
    });
    expect(await mailer.send(later(100))).toBe(0);
    const gauges = await readDatabaseGauges(orm.em.fork());
    expect(gauges.get('tollgate_mails_dead')?.[0]?.value).toBeGreaterThanOrEqual(1);
    refuses = false;
    await resendMail(fresh(live), { id: mail?.id ?? '' });
    await mailer.send(later(1));
    expect(server.received.map((one) => headerOf(one, 'Message-ID'))).toEqual([
      `<${mail?.id}.0@tolls.example>`,
    ]);
    await resendMail(fresh(live), { id: mail?.id ?? '' });
    await mailer.send(later(2));
    expect(headerOf(server.received[1] ?? never(), 'Message-ID')).toBe(
      `<${mail?.id}.1@tolls.example>`,
    );
  });

  test('are tried for two days when no server answers, then fail', async ({
    database: { orm },
    session,
  }) => {
    const live = await aSendingSession(session, ['invoice']);
    await aSentInvoice(live);
    const mailer = aMailer(orm, 'smtp://127.0.0.1:9');
    for (let hours = 0; hours < 80; hours += 2) await mailer.send(later(hours));
    const [mail] = await mailsOf(live);
    expect(mail).toMatchObject({ status: 'failed', attemptCount: 9, nextAttemptAt: null });
    expect(mail?.problem).toContain('ECONNREFUSED');
  });

  test('are dropped at once where the installation has no mail server, so that none piles up', async ({
    database: { orm },
    session,
  }) => {
    const live = await aSendingSession(session, ['invoice']);
    await aSentInvoice(live);
    await aMailer(orm).send();
    expect(await mailsOf(live)).toMatchObject([
      { status: 'dropped', problem: 'Mails are off: SMTP_URL is not set', nextAttemptAt: null },
    ]);
  });

  test('are not written for a kind that is off, and dropped when it is switched off', async ({
    database: { orm },
    session,
  }) => {
    const live = await aSendingSession(session, ['receipt']);
    await aSentInvoice(live);
    const mailer = aMailer(orm, 'smtp://127.0.0.1:9');
    await mailer.send();
    expect(await mailsOf(live)).toEqual([]);
    await updateMailSettings(fresh(live), { mailSettings: { kinds: ['invoice'] } });
    await aSentInvoice(live);
    await mailer.send();
    expect(await mailsOf(live)).toMatchObject([{ status: 'pending' }]);
    await updateMailSettings(fresh(live), { mailSettings: { kinds: [] } });
    expect(await mailsOf(live)).toMatchObject([
      { status: 'dropped', problem: 'Mails of this kind were switched off' },
    ]);
  });

  test('about an invoice that is paid meanwhile are dropped', async ({
    database: { orm },
    session,
  }) => {
    const live = await aSendingSession(session, ['invoice']);
    const invoice = await aSentInvoice(live);
    await recordPayment(fresh(live), paid(invoice.id));
    await aMailer(orm, 'smtp://127.0.0.1:9').send();
    expect(await mailsOf(live)).toMatchObject([
      { status: 'dropped', problem: 'The invoice is paid: there is nothing to pay' },
    ]);
  });
});

describe('the way to switch mails of a kind off', () => {
  const serviceAt = (url: string) => {
    useServiceUrl(url);
    onTestFinished(() => useServiceUrl('http://127.0.0.1:4000'));
  };

  test('is in the headers and at the end of mails of optional kinds, and in no other mail', async ({
    database: { orm },
    session,
  }) => {
    serviceAt('https://billing.tolls.example/below');
    const live = await aSendingSession(session);
    const server = await aMailServer();
    const { customerId } = await aCardMail(live, { language: 'de' });
    await aSentInvoice(live);
    await aMailer(orm, server.url).send();
    const [card, invoice] = ['Karte', 'Invoice'].map((word) =>
      server.received.find((mail) => headerOf(mail, 'Subject')?.includes(word)),
    );
    const link = mailSwitchLink({ customerId, kind: 'card_expiring', epoch: 0 });
    const address = `https://billing.tolls.example/below${link}`;
    // On one line: some programs do not join the parts of a folded address.
    expect(card?.source).toContain(`\r\nList-Unsubscribe: <${address}>\r\n`);
    expect(headerOf(card ?? never(), 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(invoice?.source).toBeDefined();
    expect(invoice?.source).not.toMatch(/List-Unsubscribe|mail-switch/i);
    const written = `Mails dieser Art abbestellen:\n${address}`;
    expect(bodyOf(card ?? never(), 'text/plain')).toContain(written);
    expect(bodyOf(card ?? never(), 'text/html')).toContain(`<a href="${address}"`);
  });

  test('is at the present address of the service in each attempt, with one click only where it is encrypted', async ({
    database: { orm },
    session,
  }) => {
    serviceAt('https://old.tolls.example');
    const live = await aSendingSession(session);
    let isBusy = true;
    const server = await aMailServer({
      async onContent() {
        if (isBusy) throw answer(421, 'try again');
      },
    });
    await aCardMail(live);
    const mailer = aMailer(orm, server.url);
    await mailer.send();
    isBusy = false;
    useServiceUrl('http://new.tolls.example');
    await mailer.send(later(0.1));
    const [mail] = server.received;
    expect(headerOf(mail ?? never(), 'List-Unsubscribe')).toMatch(
      /^<http:\/\/new\.tolls\.example\//,
    );
    expect(headerOf(mail ?? never(), 'List-Unsubscribe-Post')).toBeUndefined();
  });
});

describe('a mail whose process was killed', () => {
  test('is sent by another process if its content was not on its way, and is uncertain if it was', async ({
    database: { orm },
    session,
  }) => {
    const live = await aSendingSession(session, ['invoice']);
    const server = await aMailServer();
    await aSentInvoice(live);
    await aSentInvoice(live);
    const mailer = aMailer(orm);
    // The state in which a killed process leaves its mails.
    await mailer.send();
    const [one, other] = await mailsOf(live);
    const gone = { status: 'pending', nextAttemptAt: new Date(), claim: 'gone' } as const;
    const claimedUntil = later(-1);
    const { em } = fresh(live);
    await em.nativeUpdate(Mail, { id: one?.id ?? '' }, { ...gone, claimedUntil });
    const handedOverAt = later(-1);
    await em.nativeUpdate(Mail, { id: other?.id ?? '' }, { ...gone, claimedUntil, handedOverAt });
    await aMailer(orm, server.url).send();
    expect((await mailsOf(live)).map(({ status }) => status)).toEqual(['sent', 'uncertain']);
    expect(server.received).toHaveLength(1);
    await resendMail(fresh(live), { id: other?.id ?? '' });
    await aMailer(orm, server.url).send(later(1));
    expect(server.received.map((mail) => headerOf(mail, 'Message-ID'))).toContain(
      `<${other?.id}.0@tolls.example>`,
    );
  });
});

test('mails of test mode are caught with their content, and never reach a server', async ({
  database: { orm },
  session,
}) => {
  const server = await aMailServer();
  await aPaidInvoice(session);
  await aPaidInvoice(session, { token: 'sandbox_decline_insufficient_funds' });
  await aMailer(orm, server.url).send();
  expect(server.received).toEqual([]);
  const mails = await mailsOf(session);
  expect(mails.map(({ kind, status, attemptCount }) => [kind, status, attemptCount])).toEqual([
    ['receipt', 'caught', 0],
    ['payment_failed', 'caught', 0],
  ]);
  expect(mails[0]?.html).toContain('/documents/receipt/');
  expect(mails[1]?.text).toContain('Update your payment method:\nhttp');
});

test('a charge for several invoices that is declined has one mail, which names them all', async ({
  database: { orm },
  session,
}) => {
  const token = 'sandbox_decline_insufficient_funds';
  const first = await anOpenInvoice(session, { token });
  const draft = await aDraft(session, { customerId: first.customerId });
  const second = await finalizeInvoice(fresh(session), { id: draft.id });
  await payInvoices(fresh(session), { ids: [first.id, second.id] });
  await aMailer(orm, (await aMailServer()).url).send();
  const mails = await mailsOf(session);
  expect(mails.map(({ kind }) => kind)).toEqual(['payment_failed']);
  expect(mails[0]?.text).toContain(`${first.invoiceNumber}, ${second.invoiceNumber}`);
  expect(mails[0]?.text).toContain('$20.00');
});

const never = (): never => {
  throw new Error('There is no such mail');
};
