/** A delivery as the service sends it. */
export interface WebhookEvent<Data = unknown> {
  /** The same in every attempt. A receiver that has seen it answers 2xx and does nothing. */
  readonly id: string;
  /** Such as `invoice.paid`. */
  readonly type: string;
  readonly sequence: number;
  /** The time of the event, ISO 8601. */
  readonly timestamp: string;
  /** The object at that time. */
  readonly data: Data;
  /** The former values of changed fields; null for a new object. */
  readonly previousAttributes: Readonly<Record<string, unknown>> | null;
  /** The type of the object, such as `invoice`. */
  readonly object: string;
  readonly objectId: string;
  readonly customer: { readonly id: string; readonly externalId: string } | null;
  readonly pricingModelId: string;
  readonly actor: { readonly type: string; readonly id: string } | null;
}

/** A request as it was received. */
export interface ReceivedWebhook {
  /** The bytes or the text of the body, before any parsing. */
  readonly body: string | Uint8Array;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The secret of the webhook, `whsec_…`; several during a rotation. */
  readonly secrets: string | readonly string[];
  /** How far the time of the attempt may be from now. */
  readonly toleranceSeconds?: number;
  /** The present time, in milliseconds since 1970. */
  readonly now?: number;
}

/** Why a delivery is not accepted. */
export type WebhookProblem = 'headers' | 'timestamp' | 'signature' | 'secret';

/** A request that the service has not sent, or that is too old. Answer it with 400. */
export class WebhookError extends Error {
  readonly problem: WebhookProblem;

  constructor(problem: WebhookProblem, message: string) {
    super(message);
    this.name = 'WebhookError';
    this.problem = problem;
  }
}

const usualToleranceSeconds = 300;
const algorithm = { name: 'HMAC', hash: 'SHA-256' } as const;

/**
 * The event of a delivery whose signature is valid, by Standard Webhooks. It uses WebCrypto, whose comparison takes the
 * same time for each signature. Errors: WebhookError.
 */
export async function verifyWebhook<Data = unknown>({
  body,
  headers,
  secrets,
  toleranceSeconds = usualToleranceSeconds,
  now = Date.now(),
}: ReceivedWebhook): Promise<WebhookEvent<Data>> {
  const [id, timestamp, given] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !given) {
    throw new WebhookError('headers', 'A header webhook-id, -timestamp or -signature is missing');
  }
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookError('timestamp', 'webhook-timestamp is not a number of seconds');
  }
  if (Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookError('timestamp', `webhook-timestamp is not within ${toleranceSeconds} s`);
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const signatures = given.split(' ').filter((each) => each.startsWith('v1,'));
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = await keyOf(secret);
    for (const signature of signatures) {
      const bytes = bytesOf(signature.slice('v1,'.length));
      if (bytes && (await crypto.subtle.verify(algorithm, key, bytes, signed))) {
        return JSON.parse(text) as WebhookEvent<Data>;
      }
    }
  }
  throw new WebhookError('signature', 'No signature is valid for one of the secrets');
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (!bytes?.length) throw new WebhookError('secret', 'A secret is whsec_ and text in base64');
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
}

/** The bytes of a text in base64; undefined for other texts. */
function bytesOf(base64: string) {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name) return typeof value === 'string' ? value : value?.[0];
  }
  return undefined;
}
