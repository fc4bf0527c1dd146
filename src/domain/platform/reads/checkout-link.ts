import { createHmac, timingSafeEqual } from 'node:crypto';
import { open } from '#domain/kernel/security/secrets.ts';
import { serviceUrl } from '#domain/kernel/service-url.ts';
import type { Session } from '#domain/kernel/session.ts';
import { settingsOf } from './settings-of.ts';

/** The path of a checkout session's page, which shows nothing without its key. */
export const checkoutPath = (id: string) => `/checkout/${id}`;

/**
 * The address of a checkout session's page. Its key is derived from the secret of the organization, so it cannot
 * be guessed, and a new secret ends all addresses.
 */
export async function checkoutUrl(session: Session, id: string): Promise<string> {
  return serviceUrl(`${checkoutPath(id)}?key=${await keyOf(session, id)}`);
}

/** Whether a key is that of a checkout session. */
export async function isCheckoutKey(session: Session, id: string, key: string): Promise<boolean> {
  const [given, expected] = [Buffer.from(key), Buffer.from(await keyOf(session, id))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function keyOf(session: Session, checkoutSessionId: string): Promise<string> {
  const { id, documentSecret } = await settingsOf(session);
  const secret = open(documentSecret, `organization_settings ${id}`);
  return createHmac('sha256', secret).update(`checkout ${checkoutSessionId}`).digest('base64url');
}
