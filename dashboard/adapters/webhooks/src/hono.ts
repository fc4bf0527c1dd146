import { webhookHandler as handlerOfRequests, type WebhookOptions } from './index.ts';

export type { WebhookOptions } from './receive.ts';

/** The part of Hono's context that a handler needs. */
interface Context {
  readonly req: { readonly raw: Request };
}

/** A handler of webhooks for Hono: `app.post('/webhooks', webhookHandler({ … }))`. */
export function webhookHandler(options: WebhookOptions): (context: Context) => Promise<Response> {
  const handle = handlerOfRequests(options);
  return ({ req }) => handle(req.raw);
}
