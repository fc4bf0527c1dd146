import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import type { Session } from '#domain/kernel/session.ts';
import { MailSettings } from '#domain/model/mail/mail-settings.ts';
import { MailTemplate } from '#domain/model/mail/mail-template.ts';
import { checkTemplate } from './check-template.ts';
import { templateName, templateTexts } from './template-input.ts';

export const saveMailTemplateInput = z.object({
  ...templateName,
  expectedVersion: expectedVersionInput,
  template: z.object(templateTexts),
});

/**
 * Creates or replaces the template of a kind and language. Later mails use it. Errors: BAD_REQUEST with the line and the
 * reason for a template that cannot be compiled, or that has an unknown variable. NOT_FOUND for an expected version of
 * a template that does not exist.
 */
export function saveMailTemplate(
  session: Session,
  { kind, language, template, expectedVersion }: z.output<typeof saveMailTemplateInput>,
): Promise<MailTemplate> {
  const html = checkTemplate(kind, template, 'template');
  const texts = { subject: template.subject, mjml: template.mjml, text: template.text || null };
  return command(session, async ({ em, organizationId, livemode }) => {
    const own = { organizationId, livemode };
    // The settings are locked before their templates, so that two callers do not create the same one.
    await em.findOneOrFail(MailSettings, own, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const stored = await em.findOne(MailTemplate, { ...own, kind, language });
    if (stored) expectVersion(stored, expectedVersion);
    else if (expectedVersion != null) {
      throw new DomainError('NOT_FOUND', `There is no template of ${kind} in ${language}`);
    }
    if (!stored) return em.create(MailTemplate, { kind, language, ...texts, html });
    return em.assign(stored, { ...texts, html });
  });
}
