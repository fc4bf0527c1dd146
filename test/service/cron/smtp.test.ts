// @module-tag long
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { describe, expect, onTestFinished } from 'vitest';
import { sendBySmtp, smtpServerOf } from '#cron/smtp.ts';
import type { Mail } from '#domain/model/mail/mail.ts';
import { aMailer, aSendingSession, aSentInvoice, mailsOf } from '../../support/mails.ts';
import {
  aMailServer,
  answer,
  headerOf,
  type MailServer,
} from '../../support/outside/mail-server.ts';
import { scratchRoot } from '../../support/scratch-root.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('a mailer sends the mails of all organizations');

const later = (hours: number) => new Date(Date.now() + hours * 3_600_000);

/** A certificate for this machine; undefined where the program openssl is missing. */
async function newCertificate() {
  const folder = mkdtempSync(path.join(await scratchRoot(), 'certificate-'));
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  try {
    const args = ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', cert];
    execFileSync('openssl', args, { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [known, unknown] = [await newCertificate(), await newCertificate()];

/** Trusts the known certificate in this process, as the certificates of its machine. */
function trust() {
  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...before, known?.cert ?? '']);
  onTestFinished(() => tls.setDefaultCACertificates(before));
}

/** The ids of the messages of a mail that a server has received. Mails of other tests may arrive, too. */
const receivedOf = ({ received }: MailServer, mail: Mail | undefined) =>
  received.map((one) => headerOf(one, 'Message-ID')).filter((id) => id?.includes(mail?.id ?? '?'));

const withUser = (url: string) => url.replace('://', '://billing:right@');

/** A server that answers each command with the given text; the rest of SMTP is missing. */
async function aRawServer(
  answers: Readonly<Record<string, string>>,
  onData?: (socket: net.Socket) => void,
) {
  const commands: string[] = [];
  const server = net.createServer((socket) => {
    let isContent = false;
    socket.on('error', () => {});
    socket.write('220 raw\r\n');
    socket.on('data', (chunk) => {
      if (isContent) return onData?.(socket);
      for (const line of String(chunk).split('\r\n').filter(Boolean)) {
        const [name = ''] = line.toUpperCase().split(/[ :]/);
        commands.push(name);
        isContent = name === 'DATA';
        socket.write(`${answers[name] ?? '250 ok'}\r\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, commands };
}

const letter = {
  language: 'en',
  sender: 'Test <billing@tolls.example>',
  recipient: 'ada@example.com',
  replyTo: null,
  subject: 'Invoice',
  text: 'Hello',
  html: '<p>Hello</p>',
  messageId: 'mail_1.0@tolls.example',
};

describe.skipIf(!known)('a mail server with encryption (needs the program openssl)', () => {
  test.for([
    ['smtps', { secure: true }],
    ['STARTTLS', { hideSTARTTLS: false }],
  ] as const)('gets password and mail over %s only', async ([, options], { database, session }) => {
    trust();
    const live = await aSendingSession(session, ['invoice']);
    const logins: unknown[] = [];
    const server = await aMailServer({
      ...options,
      ...known,
      onAuth({ username, password }, { secure }, done) {
        logins.push({ username, password, secure });
        done(null, { user: username ?? '' });
      },
    });
    await aSentInvoice(live);
    await aMailer(database.orm, withUser(server.url)).send();
    const [mail] = await mailsOf(live);
    expect(mail).toMatchObject({ status: 'sent', problem: null });
    expect(receivedOf(server, mail)).toHaveLength(1);
    expect(logins).toEqual([{ username: 'billing', password: 'right', secure: true }]);
  });

  test.for([
    ['smtps', { secure: true }],
    ['STARTTLS', { hideSTARTTLS: false }],
  ] as const)(
    'with an unknown certificate gets nothing over %s',
    async ([, options], { database, session }) => {
      trust();
      const live = await aSendingSession(session, ['invoice']);
      const logins: unknown[] = [];
      const server = await aMailServer({
        ...options,
        ...unknown,
        onAuth(_auth, { secure }, done) {
          logins.push(secure);
          done(answer(535, 'no'));
        },
      });
      await aSentInvoice(live);
      await aMailer(database.orm, withUser(server.url)).send();
      expect(await mailsOf(live)).toMatchObject([
        { status: 'pending', problem: expect.stringMatching(/self-signed certificate/) },
      ]);
      expect([server.received, logins]).toEqual([[], []]);
    },
  );
});

describe('a mail server to which the connection must be encrypted', () => {
  test('is one on another machine that wants a password', () => {
    expect(smtpServerOf('smtp://me:secret@mail.example.com')).toMatchObject({ requireTLS: true });
    expect(smtpServerOf('smtp://mail.example.com')).toMatchObject({ requireTLS: false });
    expect(smtpServerOf('smtp://me:secret@127.0.0.1:25')).toMatchObject({ requireTLS: false });
    expect(smtpServerOf('smtps://me:secret@mail.example.com')).toMatchObject({ secure: true });
  });

  test.for([
    ['does not offer it', '250 raw'],
    ['refuses it', '250-raw\r\n250-AUTH PLAIN\r\n250 STARTTLS'],
  ])('gets neither password nor content where it %s', async ([, EHLO = '']) => {
    const { port, commands } = await aRawServer({ EHLO, STARTTLS: '454 TLS is not available' });
    const auth = { user: 'billing', pass: 'right' };
    const server = { host: '127.0.0.1', port, secure: false, requireTLS: true, auth };
    const contents: string[] = [];
    const outcome = await sendBySmtp(server, letter, async () => {
      contents.push('content');
      return true;
    });
    expect(outcome).toMatchObject({ isFinal: false, error: expect.any(String) });
    expect(commands).not.toContain('AUTH');
    expect(commands).not.toContain('MAIL');
    expect(contents).toEqual([]);
  });
});

describe('a mail', () => {
  test('waits for the right password, and is sent once with it', async ({ database, session }) => {
    const live = await aSendingSession(session, ['invoice']);
    let password = 'other';
    const server = await aMailServer({
      onAuth: (auth, _session, done) =>
        auth.password === password
          ? done(null, { user: 'billing' })
          : done(answer(535, 'Wrong password')),
    });
    await aSentInvoice(live);
    const mailer = aMailer(database.orm, withUser(server.url));
    await mailer.send();
    const [mail] = await mailsOf(live);
    expect(mail).toMatchObject({ status: 'pending', attemptCount: 1 });
    expect(mail?.problem).toContain('535');
    expect(mail?.problem).not.toContain('right');
    expect(server.received).toEqual([]);
    password = 'right';
    await mailer.send(later(1));
    expect(receivedOf(server, mail)).toHaveLength(1);
    expect(await mailsOf(live)).toMatchObject([{ status: 'sent', problem: null }]);
  });

  test('is tried again after a 4xx answer to its recipient, and fails for good after a 5xx', async ({
    database,
    session,
  }) => {
    const live = await aSendingSession(session, ['invoice']);
    const codes = [450, 451, 550];
    const server = await aMailServer({
      onRcptTo: (_address, _session, done) => done(answer(codes.shift() ?? 550, 'Not now')),
    });
    await aSentInvoice(live);
    const mailer = aMailer(database.orm, server.url);
    const states: unknown[] = [];
    for (const hours of [0, 1, 2, 100]) {
      await mailer.send(later(hours));
      const [mail] = await mailsOf(live);
      states.push([mail?.status, mail?.attemptCount]);
    }
    expect(states).toEqual([
      ['pending', 1],
      ['pending', 2],
      ['failed', 3],
      ['failed', 3],
    ]);
    expect(server.received).toEqual([]);
  });

  test('whose connection is cut within its content is tried again with the same Message-ID', async ({
    database,
    session,
  }) => {
    const live = await aSendingSession(session, ['invoice']);
    const raw = await aRawServer({ DATA: '354 go on' }, (socket) => socket.destroy());
    await aSentInvoice(live);
    await aMailer(database.orm, `smtp://127.0.0.1:${raw.port}`).send();
    const [mail] = await mailsOf(live);
    expect(raw.commands).toContain('DATA');
    expect(mail).toMatchObject({ status: 'pending', attemptCount: 1, handedOverAt: null });
    expect(mail?.problem).toBeTruthy();
    const server = await aMailServer();
    await aMailer(database.orm, server.url).send(later(1));
    expect(receivedOf(server, mail)).toEqual([`<${mail?.id}.0@tolls.example>`]);
    expect(await mailsOf(live)).toMatchObject([{ status: 'sent', attemptCount: 2 }]);
  });
});
