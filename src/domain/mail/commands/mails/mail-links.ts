import { customerTokenScopes } from '#domain/kernel/access-scopes.ts';
import { serviceUrl } from '#domain/kernel/service-url.ts';
import type { Session } from '#domain/kernel/session.ts';
import { isOptional, type MailKind } from '#domain/model/mail/mail-kinds.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { documentLink, documentSecretOf } from '#domain/platform/access/document-link.ts';
import { mailSwitchLink } from '#domain/platform/access/mail-switch-link.ts';
import { portalLinkText } from '#domain/platform/access/portal-link.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import { ownDocumentsIn } from './document-owners.ts';
import { escapeMarkup } from './fill-in.ts';
import { hiddenPaths, type LinkedDocument, pathIn, revealLinks } from './hidden-links.ts';
import { mailSettingsOf } from './mail-settings-of.ts';

const dayMilliseconds = 86_400_000;
/** An account is kept for a tax year. */
const documentDays = 90;

/** The texts of a mail with hidden links, and the instant at which they were written. */
interface Written {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly writtenAt: Date;
}

/** The recipient and the kind of a mail. */
interface Addressed {
  readonly customer: Customer;
  readonly kind: MailKind;
}

/**
 * A mail with working links, for its recipient only: nothing stores or shows the result. They count from the instant at
 * which it was written, so that each attempt has the same ones. A link to the portal is valid for the days of the
 * settings, and one to a document for 90 days.
 */
export async function withLinks<L extends Written>(
  session: Session,
  { customer, kind }: Addressed,
  letter: L,
): Promise<L> {
  const { writtenAt } = letter;
  const { portalLinkDays } = await mailSettingsOf(session);
  const secret = documentSecretOf(await settingsOf(session));
  const portal = portalLinkText({
    customerId: customer.id,
    epoch: customer.linkEpoch,
    expiresAt: new Date(writtenAt.getTime() + portalLinkDays * dayMilliseconds),
    apiKeyId: undefined,
    scopes: customerTokenScopes,
    origins: [],
  });
  const links: WorkingLinks = {
    portal: `/portal/open/${portal}`,
    mailSwitch: mailSwitchPathOf(customer, kind),
    document: (document) =>
      documentLink('', secret, document, document.kind, writtenAt, documentDays * 24),
  };
  const [subject, text, html] = await Promise.all([
    revealIn(session, customer.id, letter.subject, links),
    revealIn(session, customer.id, letter.text, links),
    revealIn(session, customer.id, letter.html, links, escapeMarkup),
  ]);
  return { ...letter, subject, text, html };
}

/** The links of a mail as their reader may have them; a link without one stays hidden. */
export interface WorkingLinks {
  readonly portal: string;
  readonly mailSwitch: string | undefined;
  readonly document: (document: LinkedDocument) => string | Promise<string>;
}

/**
 * A text of a mail to a customer with working links. `written` is that of `revealLinks`. Links to documents of other
 * customers, which a name may imitate, stay hidden.
 */
export async function revealIn(
  session: Session,
  customerId: string,
  text: string,
  { portal, mailSwitch, document }: WorkingLinks,
  written?: (path: string) => string,
): Promise<string> {
  const paths = new Map<string, string>([[hiddenPaths.portal, pathIn(portal)]]);
  if (mailSwitch) paths.set(hiddenPaths.mailSwitch, mailSwitch);
  for (const own of await ownDocumentsIn(session, customerId, text)) {
    paths.set(hiddenPaths.document(own), pathIn(await document(own)));
  }
  return revealLinks(text, paths, written);
}

type Linked = Pick<Customer, 'id' | 'linkEpoch'>;

/** The address where a customer switches a kind of mails off; undefined for a kind that is always sent. */
export function mailSwitchAddress(customer: Linked, kind: MailKind): string | undefined {
  const path = mailSwitchPathOf(customer, kind);
  return path && serviceUrl(path);
}

/** The same below the origin of the service. */
export const mailSwitchPathOf = ({ id, linkEpoch }: Linked, kind: MailKind): string | undefined =>
  isOptional(kind) ? mailSwitchLink({ customerId: id, kind, epoch: linkEpoch }) : undefined;
