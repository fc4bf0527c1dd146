import type { EntityManager } from '@mikro-orm/postgresql';
import { isServed } from '#domain/kernel/absent-organizations.ts';

/** Deletes answers that are older than 24 hours, 1,000 at a time. Returns how many there were. */
export async function purgeIdempotencyKeys(em: EntityManager, olderThan: Date): Promise<number> {
  let total = 0;
  for (;;) {
    const gone = await em.execute(
      `delete from idempotency_key where (pricing_model_id, key) in
         (select pricing_model_id, key from idempotency_key where created_at < ? and ${isServed()} limit 1000)
       returning key`,
      [olderThan],
    );
    total += gone.length;
    if (gone.length < 1_000) return total;
  }
}
