import { Readable } from 'node:stream';
import type MailComposer from 'nodemailer/lib/mail-composer';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Letter } from '#domain/mail/commands/mails/write-mail.ts';
import type { MailAttempt } from '#domain/model/mail/mail.ts';
import { lazyPackage } from '#lazy-package';

const mailComposer = lazyPackage<typeof MailComposer>('nodemailer/lib/mail-composer');
const smtpConnection = lazyPackage<typeof SMTPConnection>('nodemailer/lib/smtp-connection');

const connectMilliseconds = 10_000;
/** How long the server may be silent. A server that checks the content may need minutes for its answer. */
const silentMilliseconds = 300_000;
const keptText = 500;

/** Where and how mails are handed over. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly requireTLS: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
}

/**
 * Reads the address of a mail server: `smtps://` is encrypted from the start, `smtp://` as soon as the server offers it.
 * A password is never sent unencrypted to another machine.
 */
export function smtpServerOf(url: string): SmtpServer {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const isLocal = /^(localhost|127(\.\d+){3}|::1)$/.test(host);
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return {
    host,
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    requireTLS: !secure && username !== '' && !isLocal,
    ...(username !== '' && { auth }),
  };
}

/** A mail with the id by which receivers recognize a repetition. */
export interface Outgoing extends Letter {
  /** Without angle brackets, such as `mail_1.0@example.com`. */
  readonly messageId: string;
  /** The address where the recipient switches mails of this kind off; absent for a kind that is always sent. */
  readonly switchUrl?: string | undefined;
}

/** The attempt, and whether the server has refused the mail for good. */
export interface SmtpOutcome extends MailAttempt {
  readonly isFinal: boolean;
}

/**
 * Hands a mail over to a server once; it never throws. `beforeContent` is called when the server waits for the content:
 * where it returns false, the content is not transmitted.
 */
export async function sendBySmtp(
  server: SmtpServer,
  mail: Outgoing,
  beforeContent: () => Promise<boolean>,
): Promise<SmtpOutcome> {
  const at = Date.now();
  const ended = (response: string | null, failure: SmtpError | null): SmtpOutcome => ({
    at,
    durationMilliseconds: Date.now() - at,
    response: response?.slice(0, keptText) ?? null,
    error: failure?.message.slice(0, keptText) ?? null,
    isFinal: failure !== null && isRefusal(failure),
  });
  const connection = new (smtpConnection())({
    ...server,
    connectionTimeout: connectMilliseconds,
    greetingTimeout: connectMilliseconds,
    dnsTimeout: connectMilliseconds,
    socketTimeout: silentMilliseconds,
  });
  try {
    const composer = new (mailComposer())(optionsOf(mail)).compile();
    const content = await composer.build();
    await connect(connection);
    if (server.auth) await login(connection, server.auth);
    const envelope = composer.getEnvelope();
    const { response } = await send(connection, envelope, contentAfter(content, beforeContent));
    connection.quit();
    return ended(response ?? null, null);
  } catch (error) {
    connection.close();
    const failure = error as SmtpError;
    return ended(failure.response || null, failure);
  }
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly response?: string | false;
  readonly responseCode?: number;
}

/** A refusal of the sender, the recipient or the content. A refused login concerns every mail, and may be repaired. */
const isRefusal = ({ code, responseCode = 0 }: SmtpError) =>
  (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500 && responseCode !== 503;

const optionsOf = ({
  sender,
  recipient,
  replyTo,
  subject,
  text,
  html,
  messageId,
  switchUrl,
}: Outgoing) => ({
  from: sender,
  to: { name: '', address: recipient },
  ...(replyTo && { replyTo: { name: '', address: replyTo } }),
  subject,
  text,
  html,
  messageId: `<${messageId}>`,
  // Programs that answer mails by themselves do not answer this one.
  headers: { 'Auto-Submitted': 'auto-generated', ...(switchUrl && switchHeaders(switchUrl)) },
  disableFileAccess: true,
  disableUrlAccess: true,
});

/**
 * The headers by which a program for mails offers to switch them off (RFC 2369), with one click where the address is
 * encrypted (RFC 8058). The address is not folded: some programs do not join its parts.
 */
const switchHeaders = (url: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${url}>` },
  ...(url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
});

/** The content as a stream: it is read when the server waits for it, and not before. */
function contentAfter(content: Buffer, beforeContent: () => Promise<boolean>): Readable {
  return Readable.from(
    (async function* () {
      if (!(await beforeContent())) throw new Error('Another process has taken over the mail');
      yield content;
    })(),
    { objectMode: false },
  );
}

/** An error outside of a command ends the connection, and with it the wait. */
const failed = (connection: SMTPConnection, reject: (error: Error) => void) => {
  connection.once('error', reject);
  connection.once('end', () => reject(new Error('The server has closed the connection')));
};

const connect = (connection: SMTPConnection) =>
  new Promise<void>((resolve, reject) => {
    failed(connection, reject);
    connection.connect((error) => (error ? reject(error) : resolve()));
  });

const login = (connection: SMTPConnection, auth: NonNullable<SmtpServer['auth']>) =>
  new Promise<void>((resolve, reject) => {
    failed(connection, reject);
    connection.login(auth, (error) => (error ? reject(error) : resolve()));
  });

type Envelope = Parameters<SMTPConnection['send']>[0];

const send = (connection: SMTPConnection, envelope: Envelope, content: Readable) =>
  new Promise<{ response?: string | undefined }>((resolve, reject) => {
    failed(connection, reject);
    connection.send(envelope, content, (error, info) =>
      error ? reject(error) : resolve(info ?? {}),
    );
  });
