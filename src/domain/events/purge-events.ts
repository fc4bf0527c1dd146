import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Deletes expired events with their deliveries, and remembers the last deleted sequence, so that a late reader gets
 * an error. Events with pending deliveries stay. Safe to run twice or late. Returns how many there were.
 */
export async function purgeEvents(em: EntityManager, olderThan: Date): Promise<number> {
  return em.transactional(async (em) => {
    const [gone] = await em.execute<[{ count: string; last: string | null }]>(
      `with gone as (delete from event where sequence is not null and recorded_at < ?
         and not exists (select 1 from webhook_delivery
           where webhook_delivery.event_id = event.id and webhook_delivery.status = 'pending')
         returning sequence)
       select count(*) as count, max(sequence) as last from gone`,
      [olderThan],
    );
    if (gone.last === null) return 0;
    await em.execute('update event_head set purged = greatest(purged, ?) where id = 1', [
      gone.last,
    ]);
    return Number(gone.count);
  });
}
