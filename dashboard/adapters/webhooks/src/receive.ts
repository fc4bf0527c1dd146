import { verifyWebhook, WebhookError, type WebhookEvent } from '@tollgate/client/webhooks';

/** The knowledge of a handler of webhooks, and its action. */
export interface WebhookOptions {
  /** The secret of the webhook, `whsec_…`; several during a rotation. A function is called for each delivery. */
  readonly secrets: string | readonly string[] | (() => string | readonly string[]);
  /**
   * Acts on an event. A delivery may arrive twice, with the same `id`. An error is the answer 500, and the service
   * delivers the event again.
   */
  readonly onEvent: (event: WebhookEvent) => unknown;
  /** How far the time of an attempt may be from now; 300 when absent. */
  readonly toleranceSeconds?: number;
  /** The largest body that is read; 4 MiB when absent. */
  readonly largestBytes?: number;
}

/** A request of any server. */
export interface Delivery {
  readonly method: string;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body before any parsing: whole, or in parts as it arrives. */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>;
}

/** The answer to the service. */
export interface Receipt {
  readonly status: 200 | 400 | 405 | 413;
  readonly message: string;
}

const usualBytes = 4 * 1_024 * 1_024;

/** Checks a delivery, and acts on its event. Errors: those of `onEvent`, which the service must see as a failure. */
export async function receive(
  { method, headers, body }: Delivery,
  { secrets, onEvent, toleranceSeconds, largestBytes = usualBytes }: WebhookOptions,
): Promise<Receipt> {
  if (method !== 'POST') return { status: 405, message: 'Webhooks are sent with POST' };
  const whole =
    typeof body === 'string' || body instanceof Uint8Array ? body : await read(body, largestBytes);
  if (whole === undefined || whole.length > largestBytes) {
    return { status: 413, message: `The body has more than ${largestBytes} bytes` };
  }
  const known = typeof secrets === 'function' ? secrets() : secrets;
  const tolerance = toleranceSeconds === undefined ? {} : { toleranceSeconds };
  let event: WebhookEvent;
  try {
    event = await verifyWebhook({ body: whole, headers, secrets: known, ...tolerance });
  } catch (error) {
    // A text that is no secret is a mistake of this application, not of the sender.
    if (!(error instanceof WebhookError) || error.problem === 'secret') throw error;
    return { status: 400, message: error.message };
  }
  await onEvent(event);
  return { status: 200, message: 'ok' };
}

/** The whole body; undefined if it is too large. */
async function read(parts: AsyncIterable<Uint8Array>, largestBytes: number) {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    size += part.length;
    if (size > largestBytes) return undefined;
    all.push(part);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of all) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
