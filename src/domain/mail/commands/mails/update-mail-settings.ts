import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { emailInput } from '#domain/kernel/inputs/email-input.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, labelInput } from '#domain/kernel/inputs/inputs.ts';
import { languageInput } from '#domain/kernel/inputs/language-input.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import type { Session } from '#domain/kernel/session.ts';
import { patch, patchNullable } from '#domain/kernel/values/patch.ts';
import { dropPending } from '#domain/mail/drop-pending.ts';
import { mailKinds } from '#domain/model/mail/mail-kinds.ts';
import { MailSettings } from '#domain/model/mail/mail-settings.ts';

const daysInput = z.int().min(1).max(90);
const addressInput = emailInput;

export const updateMailSettingsInput = z.object({
  expectedVersion: expectedVersionInput,
  mailSettings: z.object(
    changesTo({
      kinds: listInput(z.enum(mailKinds), mailKinds.length),
      fromName: labelInput,
      fromAddress: addressInput,
      replyTo: addressInput,
      language: languageInput,
      trialEndingDays: daysInput,
      renewalDays: daysInput,
      cardExpiringDays: daysInput,
      prepaidExpiringDays: daysInput,
      portalLinkDays: daysInput,
    }),
  ),
});

/**
 * Changes the mails of the organization in the session's mode. Pending mails of a kind that is switched off are dropped.
 * Null removes the name, the address and the reply address. Errors: BAD_REQUEST.
 */
export function updateMailSettings(
  session: Session,
  { mailSettings: changes, expectedVersion }: z.output<typeof updateMailSettingsInput>,
): Promise<MailSettings> {
  return command(session, async (session) => {
    const { em, organizationId, livemode } = session;
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const own = { organizationId, livemode };
    const settings = await em.findOneOrFail(MailSettings, own, { lockMode });
    expectVersion(settings, expectedVersion);
    const { kinds, fromName, fromAddress, replyTo, language } = changes;
    const { trialEndingDays, renewalDays, cardExpiringDays, prepaidExpiringDays } = changes;
    const { portalLinkDays } = changes;
    patch(settings, { language, trialEndingDays, renewalDays });
    patch(settings, { cardExpiringDays, prepaidExpiringDays, portalLinkDays });
    patchNullable(settings, { fromName: fromName === '' ? null : fromName, fromAddress, replyTo });
    if (kinds != null) {
      settings.kinds = mailKinds.filter((kind) => kinds.includes(kind));
      const reason = 'Mails of this kind were switched off';
      const which = 'organization_id = $3 and livemode = $4 and not (kind = any($5))';
      await dropPending(session, reason, which, [organizationId, livemode, settings.kinds]);
    }
    return settings;
  });
}
