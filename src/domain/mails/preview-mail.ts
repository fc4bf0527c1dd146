import { z } from 'zod';
import { Customer } from '#domain/customers/customer.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { settingsOf } from '#domain/rules/reads/settings-of.ts';
import { checkTemplate } from './check-template.ts';
import { type CompiledTemplate, findTemplate } from './find-template.ts';
import { mailSettingsOf } from './mail-settings-of.ts';
import { sampleOf } from './sample-variables.ts';
import { templateName, templateTexts } from './template-input.ts';
import { usualTemplate } from './usual-template.ts';
import { fillIn, type Letter, senderOf } from './write-mail.ts';

export const previewMailInput = z.object({
  kind: templateName.kind,
  language: templateName.language.nullish(),
  customer: z.string().nullish(),
  template: z.object(templateTexts).nullish(),
});

/**
 * Shows a mail of a kind with sample values, in a language, with the name and the language of a customer if one is named. It
 * uses the given texts in place of the stored template. Nothing is sent or stored. Errors: BAD_REQUEST for an unknown
 * customer, and with the line and the reason for a template that cannot be compiled.
 */
export async function previewMail(
  session: Session,
  { kind, language, customer: id, template }: z.output<typeof previewMailInput>,
  mailFrom: string | undefined,
): Promise<Letter> {
  const customer = id == null ? null : await session.em.findOne(Customer, id);
  if (id != null && !customer) throw invalid('NOT_FOUND', 'customer', `Unknown customer ${id}`);
  const settings = await mailSettingsOf(session);
  const { name, legalName } = await settingsOf(session);
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
  return {
    ...fillIn(source, shown),
    sender: senderOf(settings, name, mailFrom),
    recipient: customer?.email ?? 'ada@example.com',
    replyTo: settings.replyTo ?? null,
  };
}
