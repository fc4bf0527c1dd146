import http from 'node:http';
import https from 'node:https';
import { checkHost, publicLookup } from '#domain/kernel/security/public-address.ts';
import type { AttemptOutcome } from '#domain/platform/commands/webhook-deliveries/record-attempt.ts';
import type { WebhookMessage } from '#domain/platform/commands/webhook-deliveries/webhook-message.ts';

const longestAttemptMilliseconds = 10_000;
const keptBytes = 4_096;
const keptLocation = 500;

/** The address of a message, and its conditions. */
export interface Target {
  readonly url: string;
  readonly livemode: boolean;
  /** Whether addresses that are not public may be reached. */
  readonly allowPrivate: boolean;
}

/**
 * Sends a message once, within 10 seconds, and returns the outcome; it never throws. Anything but
 * a 2xx is a failure. Redirects are not followed, because their target is not the registered URL.
 */
export async function sendWebhook(
  target: Target,
  message: WebhookMessage,
): Promise<AttemptOutcome> {
  const began = Date.now();
  let answer: http.IncomingMessage | undefined;
  let body = '';
  let error: string | null = null;
  try {
    answer = await answerTo(open(target, message));
    error = statusRefusal(answer);
    body = await beginningOf(answer);
  } catch (failure) {
    error = refusalReason(failure as Error);
  }
  const pause = retryAfter(answer?.headers['retry-after'], began);
  return {
    at: began,
    durationMilliseconds: Date.now() - began,
    responseStatus: answer?.statusCode ?? null,
    responseBody: answer ? body : null,
    error,
    ...(pause !== undefined && { retryAfterMilliseconds: pause }),
  };
}

function open({ url, livemode, allowPrivate }: Target, { headers, body }: WebhookMessage) {
  const { protocol, hostname } = new URL(url);
  const secure = protocol === 'https:';
  if (!secure && (livemode || protocol !== 'http:')) {
    throw new Error(`${protocol}// is not sent to, only https:// (and http:// in test mode)`);
  }
  if (!allowPrivate) checkHost(hostname);
  const request = (secure ? https : http).request(url, {
    method: 'POST',
    headers,
    agent: false,
    signal: AbortSignal.timeout(longestAttemptMilliseconds),
    ...(!allowPrivate && { lookup: publicLookup }),
  });
  return request.end(body);
}

/** The head of the answer; the rest is read from it, and later failures are reported there. */
function answerTo(request: http.ClientRequest): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve).on('error', reject);
    // The request did not ask for another protocol, so this is an answer without a body.
    request.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve(answer.destroy());
    });
    // Every end of the request ends the wait: a promise that never settles would leave the attempt open.
    request.on('close', () => reject(new Error('The connection was closed without an answer')));
  });
}

function statusRefusal({ statusCode = 0, headers }: http.IncomingMessage): string | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode >= 300 && statusCode < 400) {
    const location = headers.location?.slice(0, keptLocation) ?? 'nowhere';
    return `The endpoint answered ${statusCode} to ${location}; redirects are not followed`;
  }
  return `The endpoint answered ${statusCode}`;
}

/** The first 4 KiB as text; the rest is not read. */
async function beginningOf(answer: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= keptBytes) break;
    }
  } catch {
    // The part that arrived before the connection broke is shown.
  }
  answer.destroy();
  // PostgreSQL cannot store a zero character; half of a character at the end is dropped.
  const text = Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8');
  return text.replaceAll('\0', '').replace(/\uFFFD$/, '');
}

function refusalReason({ name, message, cause }: Error & { code?: string }): string {
  if (
    name === 'AbortError' ||
    name === 'TimeoutError' ||
    (cause as Error)?.name === 'TimeoutError'
  ) {
    return `The endpoint did not answer within ${longestAttemptMilliseconds / 1_000} seconds`;
  }
  return message || name;
}

/** Seconds or a date, as HTTP defines. */
function retryAfter(header: string | undefined, now: number): number | undefined {
  if (!header) return undefined;
  const pause = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return pause > 0 ? pause : undefined;
}
