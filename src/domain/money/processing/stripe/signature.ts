import { stripePackage } from './client.ts';
import type { StripeEvent } from './notices.ts';

const toleranceSeconds = 300;

/**
 * The event of a signed body; undefined when no secret has signed exactly these bytes within the last 5 minutes. Several
 * secrets are valid while one replaces another, and so are several signatures of one body.
 */
export async function verifiedEvent(
  body: Uint8Array,
  header: string | null,
  secrets: readonly string[],
  now: Date,
): Promise<StripeEvent | undefined> {
  if (!header) return undefined;
  for (const secret of secrets) {
    try {
      const event = await stripePackage().webhooks.constructEventAsync(
        body as Buffer,
        header,
        secret,
        toleranceSeconds,
        undefined,
        now.getTime(),
      );
      if (isEvent(event)) return event as StripeEvent;
    } catch {
      // Signed by another secret, too long ago, or not at all.
    }
  }
  return undefined;
}

function isEvent(value: unknown): boolean {
  const { id, type, created, livemode, data } = (value ?? {}) as Partial<StripeEvent>;
  return (
    typeof id === 'string' &&
    typeof type === 'string' &&
    typeof created === 'number' &&
    typeof livemode === 'boolean' &&
    typeof data?.object === 'object' &&
    data.object !== null
  );
}
