import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** A mail that a server has accepted. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The headers and the bodies as they were transmitted. */
  readonly source: string;
}

export interface MailServer {
  readonly url: string;
  readonly received: ReceivedMail[];
  /** Resolves when that many mails have arrived. */
  until(count: number): Promise<ReceivedMail[]>;
}

type Options = 'onConnect' | 'onRcptTo' | 'onAuth' | 'secure' | 'hideSTARTTLS' | 'key' | 'cert';

/** A server's behaviour where it does not accept each mail. A thrown error is its answer. */
export interface Behaviour extends Pick<SMTPServerOptions, Options> {
  /** Is called with the whole content; resolves when the server answers. Errors: the refusal. */
  readonly onContent?: (source: string, count: number) => Promise<unknown> | undefined;
}

/** An answer of a mail server. */
export const answer = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

/** A mail server for one test. */
export async function aMailServer({ onContent, ...options }: Behaviour = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    ...options,
    async onData(stream, { envelope }, done) {
      const source = await text(stream);
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      const mail = { from, to: envelope.rcptTo.map(({ address }) => address), source };
      try {
        await onContent?.(source, received.length);
        received.push(mail);
        for (const look of waiting) look();
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
  server.on('error', () => {});
  const socket = server.listen(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = socket.address() as AddressInfo;
  return {
    url: `${options.secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    received,
    until: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (received.length < count) return;
          waiting.delete(look);
          resolve(received);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** The decoded body of a type, with `\n` between its lines. Errors: the mail has none. */
export function bodyOf({ source }: ReceivedMail, type: 'text/plain' | 'text/html'): string {
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(source) ?? [];
  const part = source.split(`--${boundary}`).find((each) => each.includes(`Content-Type: ${type}`));
  if (!part) throw new Error(`The mail has no ${type}`);
  const [head = '', body = ''] = part.trim().split(/\r\n\r\n(.*)/s);
  const [, encoding] = /Content-Transfer-Encoding: (\S+)/i.exec(head) ?? [];
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const texts: Readonly<Record<string, () => string>> = {
    base64: () => Buffer.from(body, 'base64').toString(),
    'quoted-printable': () => Buffer.from(bytes, 'latin1').toString(),
  };
  return (texts[encoding ?? '']?.() ?? body).replaceAll('\r\n', '\n');
}

/** The value of a header of a source. */
export const headerOf = ({ source }: ReceivedMail, name: string) =>
  new RegExp(`^${name}: (.*(?:\\r?\\n[ \\t].*)*)`, 'im')
    .exec(source)?.[1]
    ?.replace(/\r?\n[ \t]/g, ' ');
