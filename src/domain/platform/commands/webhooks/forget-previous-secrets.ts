import type { EntityManager } from '@mikro-orm/postgresql';
import { isServed } from '#domain/kernel/absent-organizations.ts';

/** Deletes signing secrets whose overlap is over. Safe to run twice or late. Returns how many there were. */
export async function forgetPreviousSecrets(em: EntityManager, now: Date): Promise<number> {
  const gone = await em.execute(
    `update webhook set previous_secret = null, previous_secret_until = null
     where previous_secret_until <= ? and ${isServed()} returning id`,
    [now],
  );
  const ofProcessors = await em.execute(
    `update processor_account set previous_webhook_secret = null, previous_webhook_secret_until = null
     where previous_webhook_secret_until <= ? and ${isServed()} returning id`,
    [now],
  );
  return gone.length + ofProcessors.length;
}
