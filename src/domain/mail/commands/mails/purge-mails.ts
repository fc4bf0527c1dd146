import type { EntityManager } from '@mikro-orm/postgresql';
import { isServed } from '#domain/kernel/absent-organizations.ts';

const batchSize = 5_000;

/** Deletes the mails from before an instant, apart from pending ones. Returns how many. */
export async function purgeMails(em: EntityManager, before: Date): Promise<number> {
  for (let total = 0; ; ) {
    const gone = await em.execute<object[]>(
      `delete from mail where id in (
         select id from mail where created_at < ? and status <> 'pending' and ${isServed()} limit ${batchSize})
       returning id`,
      [before],
    );
    total += gone.length;
    if (gone.length < batchSize) return total;
  }
}
