import { type Delivery, receive, type WebhookOptions } from './receive.ts';

export type { WebhookOptions } from './receive.ts';

/** The part of Express's request that a handler needs. */
interface ReceivedRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: unknown;
  readonly readableEnded?: boolean;
}

/** The part of Express's response that a handler needs. */
interface OwnResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

/**
 * A handler of webhooks for Express 4 and 5, and for `node:http`. It reads the body itself, or takes that of
 * `express.raw()` and `express.text()`. Put it before `express.json()`, after which the signed bytes are lost.
 */
export const webhookHandler =
  (options: WebhookOptions) =>
  async (
    request: ReceivedRequest,
    response: OwnResponse,
    next?: (error: unknown) => void,
  ): Promise<void> => {
    try {
      const { method = '', headers } = request;
      const receipt = await receive({ method, headers, body: bodyOf(request) }, options);
      response.statusCode = receipt.status;
      response.setHeader('content-type', 'text/plain; charset=utf-8');
      if (receipt.status === 405) response.setHeader('allow', 'POST');
      response.end(receipt.message);
    } catch (error) {
      if (!next) throw error;
      next(error);
    }
  };

function bodyOf(request: ReceivedRequest): Delivery['body'] {
  const { body, readableEnded } = request;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (!readableEnded) return request;
  throw new Error(
    'The body was parsed before the handler of webhooks: put the handler before express.json()',
  );
}
