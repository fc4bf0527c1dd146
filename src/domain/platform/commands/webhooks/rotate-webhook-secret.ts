import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Webhook } from '#domain/model/platform/webhook.ts';
import { newSigningSecret } from './signing-secret.ts';

const usualOverlapSeconds = 86_400;
const maximalOverlapSeconds = 7 * 86_400;

export const rotateWebhookSecretInput = z.object({
  id: z.string(),
  overlapSeconds: z.int().min(0).max(maximalOverlapSeconds).nullish(),
});

/**
 * Gives a webhook a new signing secret, which only this result contains. The old one also signs during the overlap (1
 * day by default, 7 days at most), so that receivers change over without losing events. Errors: NOT_FOUND;
 * BAD_REQUEST.
 */
export function rotateWebhookSecret(
  session: Session,
  { id, overlapSeconds }: z.output<typeof rotateWebhookSecretInput>,
) {
  const secret = newSigningSecret();
  return command(session, async ({ em, now }) => {
    const webhook = await em.findOneOrFail(Webhook, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const overlap = (overlapSeconds ?? usualOverlapSeconds) * 1_000;
    webhook.rotate(secret, new Date(now.getTime() + overlap));
    return { webhook, secret };
  });
}
