import { DomainError, invalid } from '#domain/kernel/errors.ts';
import { stripeApiVersion, stripeClient } from './client.ts';
import { asked, isMissing, isRefusedRequest, withoutKeys } from './failures.ts';
import { subscribedEvents } from './notices.ts';

/** An endpoint for notices at Stripe, with the secret that only its creation shows. */
export interface CreatedEndpoint {
  readonly reference: string;
  readonly secret: string;
}

/**
 * Creates the endpoint for notices, whose events have the version of the adapter. Errors: BAD_REQUEST when Stripe refuses
 * the address or the key may not create endpoints.
 */
export async function createEndpoint(
  secretKey: string,
  { url, organizationId }: { readonly url: string; readonly organizationId: string },
): Promise<CreatedEndpoint> {
  const stripe = stripeClient(secretKey);
  try {
    const { id, secret } = await asked(
      stripe.webhookEndpoints.create({
        url,
        enabled_events: [...subscribedEvents],
        api_version: stripeApiVersion,
        description: 'Tollgate',
        metadata: { organization_id: organizationId },
      }),
    );
    if (secret) return { reference: id, secret };
    throw new DomainError('SERVICE_UNAVAILABLE', 'Stripe has not returned the endpoint’s secret');
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw invalid(
      'INVALID',
      'webhookSecret',
      `must be given: Stripe did not create an endpoint for ${url} (${withoutKeys((error as Error).message)}); create it in the Dashboard`,
    );
  }
}

/** Deletes earlier endpoints with the same address: their secrets are not known any more. */
export async function deleteEndpointsAt(secretKey: string, url: string, kept: string) {
  const stripe = stripeClient(secretKey);
  const old: string[] = [];
  await asked(
    stripe.webhookEndpoints.list({ limit: 100 }).autoPagingEach((endpoint) => {
      if (endpoint.url === url && endpoint.id !== kept) old.push(endpoint.id);
    }),
  );
  for (const id of old) await deleteEndpoint(secretKey, id);
}

/** Deletes an endpoint; an unknown one stays so. */
export async function deleteEndpoint(secretKey: string, reference: string) {
  try {
    await asked(stripeClient(secretKey).webhookEndpoints.del(reference));
  } catch (error) {
    if (!isMissing(error) && !isRefusedRequest(error)) throw error;
  }
}
