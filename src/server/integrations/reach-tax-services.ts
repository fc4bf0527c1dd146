import http from 'node:http';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';
import {
  type SendTaxMessage,
  statusesOfQuestion,
  type TaxAnswer,
  type TaxMessage,
  useTaxSender,
} from '#domain/catalog/taxing/tax-sender.ts';
import { traceHeaders } from '#domain/kernel/in-span.ts';
import { checkHost, publicLookup } from '#domain/kernel/security/public-address.ts';
import { signatureOf } from '#domain/kernel/security/signature.ts';

const mostBytes = 256_000;

interface Options {
  /** Whether addresses that are not public may be reached. */
  readonly allowPrivate: boolean;
  /** The longest time of one attempt, with its whole answer. */
  readonly timeoutMilliseconds?: number;
  /** The pauses before further attempts. */
  readonly pausesMilliseconds?: readonly number[];
  /** The time in which a service that has failed is not asked again, so that others need not wait for it. */
  readonly restMilliseconds?: number;
  /** The time for which due work of one organization may wait in a sweep. */
  readonly sweepMilliseconds?: number;
}

/**
 * Sets how this process reaches tax services: as webhooks, so without redirects, over https in live mode, and never at
 * addresses that are not public. A service that does not answer, answers 429 or fails is asked again.
 */
export function reachTaxServices({
  allowPrivate,
  timeoutMilliseconds = 5_000,
  pausesMilliseconds = [200, 800],
  restMilliseconds = 5_000,
  sweepMilliseconds = 30_000,
}: Options) {
  const resting = new Map<string, { readonly until: number; readonly failure: Error }>();
  const attempt = async (message: TaxMessage): Promise<TaxAnswer | Error> => {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    try {
      return await send(message, allowPrivate, signal);
    } catch (error) {
      const late = `it did not answer within ${timeoutMilliseconds / 1_000} seconds`;
      return new Error(signal.aborted ? late : reasonOf(error as Error), { cause: error });
    }
  };
  const rest = (key: string, failure: Error) => {
    const now = performance.now();
    for (const [other, { until }] of resting) if (until <= now) resting.delete(other);
    resting.set(key, { until: now + restMilliseconds, failure });
  };
  const sender: SendTaxMessage = async (message) => {
    const { organizationId, livemode, url } = message;
    const key = `${organizationId} ${livemode} ${url}`;
    const known = resting.get(key);
    if (known && known.until > performance.now()) throw known.failure;
    let answer = await attempt(message);
    for (const pause of pausesMilliseconds) {
      if (!isPassing(answer)) break;
      await setTimeout(pause);
      answer = await attempt(message);
    }
    if (answer instanceof Error) {
      rest(key, answer);
      throw answer;
    }
    if (!statusesOfQuestion.includes(answer.status)) {
      rest(key, new Error(`it answered ${answer.status}`));
    }
    return answer;
  };
  useTaxSender(sender, sweepMilliseconds);
}

/** Whether another attempt may succeed. */
const isPassing = (answer: TaxAnswer | Error) =>
  answer instanceof Error || answer.status === 429 || answer.status >= 500;

async function send(
  message: TaxMessage,
  allowPrivate: boolean,
  signal: AbortSignal,
): Promise<TaxAnswer> {
  const { url, livemode, body } = message;
  const { protocol, hostname } = new URL(url);
  const secure = protocol === 'https:';
  if (!secure && livemode) throw new Error('it is not at an https address');
  if (!allowPrivate) checkHost(hostname);
  const request = (secure ? https : http).request(url, {
    method: 'POST',
    headers: headersOf(message),
    agent: false,
    signal,
    ...(!allowPrivate && { lookup: publicLookup }),
  });
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.on('response', resolve).on('error', reject);
    // Every end of the request ends the wait.
    request.on('close', () => reject(new Error('it closed the connection without an answer')));
    request.end(body);
  });
  return { status: answer.statusCode ?? 0, body: await textOf(answer) };
}

/** The headers of Standard Webhooks, which webhooks have, too. */
function headersOf({ id, secret, body }: TaxMessage) {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Tollgate-Taxes/1',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatureOf(secret, `${id}.${timestamp}.${body}`),
    ...traceHeaders(),
  };
}

/** The whole body. Errors: for a body that is cut or too large. */
async function textOf(answer: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`its answer has more than ${mostBytes} bytes`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const reasonOf = ({ name, message }: Error) =>
  message === 'aborted' ? 'it cut the connection within its answer' : message || name;
