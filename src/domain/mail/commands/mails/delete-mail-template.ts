import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { MailTemplate } from '#domain/model/mail/mail-template.ts';
import { templateName } from './template-input.ts';

export const deleteMailTemplateInput = z.object(templateName);

/** Deletes the template of a kind and language, so that the texts of the service apply again. Errors: NOT_FOUND. */
export function deleteMailTemplate(
  session: Session,
  { kind, language }: z.output<typeof deleteMailTemplateInput>,
): Promise<MailTemplate> {
  return command(session, async ({ em, organizationId, livemode }) => {
    const where = { organizationId, livemode, kind, language };
    const stored = await em.findOne(MailTemplate, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!stored)
      throw new DomainError('NOT_FOUND', `There is no template of ${kind} in ${language}`);
    em.remove(stored);
    return stored;
  });
}
