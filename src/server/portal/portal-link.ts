import { customerTokenScopes, hasScope } from '#domain/kernel/access-scopes.ts';
import { portalLinkText } from '#domain/platform/access/portal-link.ts';
import type { LinkedCustomer, PortalWishes } from '#schema/engine/builder.ts';
import type { KeySession } from '../auth/authenticate.ts';
import { wordingOf } from './texts/wording.ts';

/** The path of the portal below the origin of the service. */
export const portalPath = '/portal';

const roundedMilliseconds = 600_000;
const validMilliseconds = 3_600_000;

/**
 * The link to the portal of a customer: valid for an hour at least, but not longer than its key, and the same for 10
 * minutes. With origins it is for a frame on their pages. Null for a caller that may not create customer tokens,
 * because the link opens one, and for a frame on no page.
 */
export function portalLink(
  origin: string,
  { keyType, scopes, apiKeyId, now, expiresAt }: KeySession,
  { id, archived, linkEpoch }: LinkedCustomer,
  { locale, origins }: PortalWishes,
): string | null {
  if (keyType !== 'secret' || archived || !hasScope(scopes, 'customer_tokens_write')) return null;
  if (origins?.length === 0) return null;
  const start = Math.ceil(now.getTime() / roundedMilliseconds) * roundedMilliseconds;
  const end = start + validMilliseconds;
  const text = portalLinkText({
    customerId: id,
    epoch: linkEpoch,
    expiresAt: new Date(Math.min(end, expiresAt?.getTime() ?? end)),
    apiKeyId,
    scopes: customerTokenScopes.filter((scope) => hasScope(scopes, scope)),
    origins: origins ?? [],
  });
  const known = wordingOf(locale)?.locale;
  return `${origin}${portalPath}/${origins ? 'embed' : 'open'}/${text}${known ? `?locale=${known}` : ''}`;
}
