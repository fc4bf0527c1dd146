import Stripe from 'stripe';
import type { Thing } from './state.ts';

export interface DeliveryOptions {
  readonly secret: string;
  /** When it was signed; the present when absent. */
  readonly signedAt?: Date;
}

type Fetch = (url: string, init: RequestInit) => Promise<Response> | Response;

/** Sends an event to the endpoint of an organization as Stripe does. */
export async function deliver(
  fetch: Fetch,
  organizationId: string,
  event: Thing,
  { secret, signedAt = new Date() }: DeliveryOptions,
): Promise<number> {
  const body = JSON.stringify(event);
  const timestamp = Math.floor(signedAt.getTime() / 1_000);
  const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
  return post(fetch, organizationId, body, header);
}

export async function post(fetch: Fetch, organizationId: string, body: string, header: string) {
  const { status } = await fetch(`http://test/processors/stripe/${organizationId}`, {
    method: 'POST',
    headers: { 'stripe-signature': header, 'content-type': 'application/json' },
    body,
  });
  return status;
}
