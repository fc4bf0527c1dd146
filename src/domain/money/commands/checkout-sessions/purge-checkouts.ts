import type { EntityManager } from '@mikro-orm/postgresql';
import { isServed } from '#domain/kernel/absent-organizations.ts';

const batch = 1_000;

/**
 * Deletes checkout sessions that were created before an instant and have failed or expired, in batches. Their purchases
 * stay, and the feed has their events. Open sessions expire first, so that no unpaid invoice is left. Returns their
 * number.
 */
export async function purgeCheckouts(em: EntityManager, before: Date): Promise<number> {
  for (let count = 0; ; ) {
    const gone = await em.execute<{ id: string }[]>(
      `delete from checkout_session where id in
         (select id from checkout_session where status in ('failed', 'expired') and created_at < ? and ${isServed()}
          order by created_at limit ${batch} for update skip locked) returning id`,
      [before],
    );
    count += gone.length;
    if (gone.length < batch) return count;
  }
}
