import type { Session } from '#domain/kernel/session.ts';
import { switchedOff } from '#domain/mail/set-mails-off.ts';
import type { MailKind } from '#domain/model/mail/mail-kinds.ts';
import type { MailSettings } from '#domain/model/mail/mail-settings.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import { fillInLine, fillInMarkup, fillInText, type Variables } from './fill-in.ts';
import { type CompiledTemplate, findTemplate } from './find-template.ts';
import { withoutImitations } from './hidden-links.ts';
import { formatsOf } from './mail-formats.ts';
import { mailSettingsOf } from './mail-settings-of.ts';
import { type UpcomingInvoiceOf, variablesOf } from './mail-variables.ts';

/** The content of a mail, with its addresses. */
export interface Letter {
  readonly language: string;
  /** Such as `Example Tolls <billing@example.com>`; only a name where no address is known. */
  readonly sender: string;
  readonly recipient: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A mail as it is stored: its links are hidden. */
export interface WrittenLetter extends Letter {
  /** When it was written, from which on its links count. */
  readonly writtenAt: Date;
}

/** The event that a mail is about. */
export interface Occasion {
  readonly kind: MailKind;
  readonly objectId: string;
  readonly eventId: string;
  readonly customerId: string;
}

/** The surroundings of the work on mails. */
export interface MailParts {
  /** The address of the installation; undefined where it sends no mails. */
  readonly mailFrom: string | undefined;
  readonly upcoming: UpcomingInvoiceOf;
}

/**
 * Writes the mail about an event to its customer, in the present state of the records. Its links are hidden; `withLinks`
 * makes them work. Returns the reason instead where there is nothing to write any more.
 */
export async function writeMail(
  session: Session,
  { kind, objectId, eventId, customerId }: Occasion,
  { mailFrom, upcoming }: MailParts,
): Promise<WrittenLetter | { readonly outdated: string }> {
  const customer = await recipientOf(session, { kind, customerId });
  if ('outdated' in customer) return customer;
  const settings = await mailSettingsOf(session);
  const seller = await settingsOf(session);
  const locale = customer.language ?? settings.language;
  const formats = formatsOf(locale);
  const subject = { kind, objectId, eventId, customer, seller, locale, formats, upcoming };
  const found = await variablesOf(session, subject);
  if ('outdated' in found) return found;
  const template = await findTemplate(session, kind, [locale, settings.language]);
  return {
    ...fillIn(template, withoutImitations(found.variables)),
    writtenAt: session.now,
    sender: senderOf(settings, seller.name, mailFrom),
    recipient: customer.email,
    replyTo: settings.replyTo ?? null,
  };
}

/** The customer that a mail of a kind is to. Returns the reason instead where the customer gets none any more. */
export async function recipientOf(
  { em }: Session,
  { kind, customerId }: Pick<Occasion, 'kind' | 'customerId'>,
): Promise<Customer | { readonly outdated: string }> {
  const customer = await em.findOne(Customer, customerId);
  if (!customer) return { outdated: 'The customer does not exist any more' };
  if (customer.erasedAt) return { outdated: 'The personal data of the customer is erased' };
  if ((customer.mailsOff as readonly MailKind[]).includes(kind)) return { outdated: switchedOff };
  return customer;
}

/** The subject and both bodies of a template with values. */
export function fillIn(template: CompiledTemplate, variables: Variables) {
  return {
    language: template.language,
    subject: fillInLine(template.subject, variables),
    text: fillInText(template.text, variables),
    html: fillInMarkup(template.html, variables),
  };
}

/** The sender as a header states it. Its name is that of the settings, else that of the organization. */
export function senderOf(
  { fromName, fromAddress }: Pick<MailSettings, 'fromName' | 'fromAddress'>,
  organization: string,
  mailFrom: string | undefined,
): string {
  const name = (fromName ?? organization).replace(/[\p{Cc}"\\]/gu, ' ').trim();
  const address = fromAddress ?? mailFrom;
  return address === undefined ? `"${name}"` : `"${name}" <${address}>`;
}
