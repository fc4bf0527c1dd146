import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, sameId } from '#domain/kernel/inputs/inputs.ts';
import { type AddressRule, checkAddress } from '#domain/kernel/security/receiving-address.ts';
import type { Session } from '#domain/kernel/session.ts';
import { patch } from '#domain/kernel/values/patch.ts';
import { Webhook } from '#domain/model/platform/webhook.ts';
import { sequenceCommitted } from '#domain/platform/feed/sequence-events.ts';
import { webhookFields } from './webhook-input.ts';

export const updateWebhookInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    webhook: z.object(changesTo({ id: z.string(), ...webhookFields })),
  })
  .refine(...sameId('webhook'));

export type UpdateWebhookInput = z.output<typeof updateWebhookInput>;

/**
 * Changes the address and the event types of an endpoint; `active: false` stops it. Errors: NOT_FOUND, BAD_REQUEST.
 */
export async function updateWebhook(
  session: Session,
  { id, webhook, expectedVersion }: UpdateWebhookInput,
  rule: AddressRule = { allowPrivate: false },
) {
  // Earlier events follow the former settings.
  await sequenceCommitted(session.em);

  return command(session, async ({ em }) => {
    const stored = await em.findOneOrFail(Webhook, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    expectVersion(stored, expectedVersion);
    const { name, url, filterTypes, active } = webhook;
    if (url !== stored.url) checkAddress(session, 'webhook.url', url, rule);
    if (active && !stored.active) stored.activate();
    return patch(stored, { name, url, filterTypes, active });
  });
}
