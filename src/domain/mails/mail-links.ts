import { customerTokenScopes } from '#domain/kernel/access-scopes.ts';
import { serviceUrl } from '#domain/kernel/service-url.ts';
import type { OrganizationSettings } from '#domain/organizations/organization-settings.ts';
import {
  type DocumentKind,
  documentLink,
  documentSecretOf,
} from '#domain/rules/access/document-link.ts';
import { mailSwitchLink } from '#domain/rules/access/mail-switch-link.ts';
import { portalLinkText } from '#domain/rules/access/portal-link.ts';
import { isOptional, type MailKind } from './mail-kinds.ts';

const dayMilliseconds = 86_400_000;
/** A mail is read days after it was sent, and an account is kept for a tax year. */
const portalDays = 14;
const documentDays = 90;

/** The address of a PDF for a mail, which is valid for 90 days. */
export const documentAddress = (
  seller: OrganizationSettings,
  document: { readonly id: string },
  kind: DocumentKind,
  now: Date,
) => documentLink(serviceUrl(''), documentSecretOf(seller), document, kind, now, documentDays * 24);

/** The address of the portal for a mail, which is valid for 14 days. No key created it. */
export function portalAddress(customerId: string, locale: string, now: Date): string {
  const text = portalLinkText({
    customerId,
    expiresAt: new Date(now.getTime() + portalDays * dayMilliseconds),
    apiKeyId: undefined,
    scopes: customerTokenScopes,
    origins: [],
  });
  return serviceUrl(`/portal/open/${text}?locale=${locale}`);
}

/** The address where a customer switches a kind of mails off; undefined for a kind that is always sent. */
export const mailSwitchAddress = (customerId: string, kind: MailKind): string | undefined =>
  isOptional(kind) ? serviceUrl(mailSwitchLink({ customerId, kind })) : undefined;
