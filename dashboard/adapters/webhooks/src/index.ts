import { receive, type WebhookOptions } from './receive.ts';

export type { WebhookOptions } from './receive.ts';

/** A handler of webhooks for servers with the `Request` and `Response` of fetch, such as Bun, Deno and Workers. */
export const webhookHandler =
  (options: WebhookOptions) =>
  async (request: Request): Promise<Response> => {
    const { method, headers, body } = request;
    const { status, message } = await receive({ method, headers, body: partsOf(body) }, options);
    return new Response(message, { status, headers: status === 405 ? { allow: 'POST' } : {} });
  };

/** Not every runtime iterates over a stream. */
async function* partsOf(body: ReadableStream<Uint8Array> | null) {
  if (!body) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
