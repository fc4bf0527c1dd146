import type { EntityManager } from '@mikro-orm/postgresql';
import { isServed } from '#domain/kernel/absent-organizations.ts';

const batch = 5_000;

/** Deletes tokens that expired before an instant, in batches. The feed has their events. Returns their number. */
export async function purgeCustomerTokens(em: EntityManager, before: Date): Promise<number> {
  for (let count = 0; ; ) {
    const gone = await em.execute<{ id: string }[]>(
      `delete from customer_token where id in
         (select id from customer_token where expires_at < ? and ${isServed()} order by expires_at limit ${batch}) returning id`,
      [before],
    );
    count += gone.length;
    if (gone.length < batch) return count;
  }
}
