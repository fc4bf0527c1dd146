import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { MailKind } from '#domain/model/mail/mail-kinds.ts';
import { AlertCrossing } from '#domain/model/metering/alert-crossing.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import { checkTemplate } from './check-template.ts';
import { type CompiledTemplate, findTemplate } from './find-template.ts';
import { formatsOf } from './mail-formats.ts';
import { mailSettingsOf } from './mail-settings-of.ts';
import { variablesOf } from './mail-variables.ts';
import { sampleOf } from './sample-variables.ts';
import { templateName, templateTexts } from './template-input.ts';
import { usualTemplate } from './usual-template.ts';
import { fillIn, type Letter, type MailParts, senderOf } from './write-mail.ts';

export const previewMailInput = z.object({
  kind: templateName.kind,
  language: templateName.language.nullish(),
  customer: z.string().nullish(),
  about: z.string().nullish(),
  template: z.object(templateTexts).nullish(),
});

/**
 * Shows a mail of a kind with sample values, in a language, with the name and the language of a customer if one is named.
 * `about` names the object of the mail, such as an invoice, whose own values replace the samples; links stay samples, since
 * they would sign its reader in. Given texts replace the stored template. Nothing is sent or stored. Errors: BAD_REQUEST for
 * an unknown customer or object, and with the line and the reason for a template that cannot be compiled.
 */
export async function previewMail(
  session: Session,
  { kind, language, customer: id, about, template }: z.output<typeof previewMailInput>,
  { mailFrom, upcoming }: MailParts,
): Promise<Letter> {
  const customer = await customerOf(session, kind, { id, about });
  const settings = await mailSettingsOf(session);
  const seller = await settingsOf(session);
  const { name, legalName } = seller;
  const locale = language ?? customer?.language ?? settings.language;
  const source: CompiledTemplate = template
    ? {
        ...usualTemplate(kind, locale),
        ...template,
        text: template.text || usualTemplate(kind, locale).text,
        html: checkTemplate(kind, template, 'template'),
        language: locale,
        own: null,
      }
    : await findTemplate(session, kind, [locale, settings.language]);
  const sample = sampleOf(kind, locale);
  const shown = {
    ...sample,
    seller: { name: legalName ?? name },
    ...(customer && { customer: { name: customer.name, email: customer.email } }),
  };
  if (customer && about != null) {
    const subject = { kind, objectId: about, eventId: '', customer, seller, locale };
    const found = await variablesOf(session, { ...subject, formats: formatsOf(locale), upcoming });
    if ('outdated' in found) throw invalid('INVALID_STATE', 'about', found.outdated);
    Object.assign(shown, found.variables, { links: sample.links });
  }
  return {
    ...fillIn(source, shown),
    sender: senderOf(settings, name, mailFrom),
    recipient: customer?.email ?? 'ada@example.com',
    replyTo: settings.replyTo ?? null,
  };
}

/** The objects that mails of each kind are about. */
const objects = {
  invoice: Invoice,
  receipt: Invoice,
  payment_failed: Payment,
  card_expiring: PaymentMethod,
  trial_ending: Subscription,
  renewal_upcoming: Subscription,
  prepaid_expiring: PrepaidCredit,
  alert: AlertCrossing,
} as const satisfies Record<MailKind, object>;

interface Named {
  readonly id: string | null | undefined;
  readonly about: string | null | undefined;
}

/** The customer that is named, or whose object is; null without either. */
async function customerOf({ em }: Session, kind: MailKind, { id, about }: Named) {
  const object = about == null ? null : await em.findOne(objects[kind] as typeof Invoice, about);
  if (about != null && !object)
    throw invalid('NOT_FOUND', 'about', `Unknown object ${about} of a mail of the kind ${kind}`);
  const customerId = id ?? object?.customerId;
  if (customerId == null) return null;
  if (object && object.customerId !== customerId)
    throw invalid('MISMATCH', 'customer', `must be ${object.customerId}, the customer of ${about}`);
  const customer = await em.findOne(Customer, customerId);
  if (!customer) throw invalid('NOT_FOUND', 'customer', `Unknown customer ${customerId}`);
  return customer;
}
