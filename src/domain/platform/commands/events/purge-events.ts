import type { EntityManager } from '@mikro-orm/postgresql';
import { isServed } from '#domain/kernel/absent-organizations.ts';

const batchSize = 5_000;

/** How long events can be read: in the feed, and in the audit log. */
export interface Retention {
  /** The feed shows no event from before this instant. */
  readonly feedFrom: Date;
  /** The audit log shows no event from before this instant. It is not after `feedFrom`. */
  readonly auditFrom: Date;
}

/**
 * Ends the feed before an instant, and deletes the events that the audit log no longer needs, with their deliveries
 * and causes. The end of the feed is remembered, so that a late reader gets an error. Reports of usage are deleted as
 * soon as the feed no longer needs them: the usage events themselves remain. Events with pending deliveries stay. Safe
 * to run twice or late. Returns how many events it deleted.
 */
export async function purgeEvents(
  em: EntityManager,
  { feedFrom, auditFrom }: Retention,
): Promise<number> {
  await endFeed(em, feedFrom);
  const reports = await deleteBatches(em, feedFrom, "and type = 'usage_event.recorded'");
  return reports + (await deleteBatches(em, auditFrom, ''));
}

/**
 * Ends each feed, from its present start. Sequences rise with time, apart from transactions at the same time, so the
 * first event from well after the instant is beyond the end.
 */
async function endFeed(em: EntityManager, from: Date) {
  await em.execute(
    `update event_head head set purged = greatest(head.purged, coalesce((
       select max(e.sequence) from event e
       where e.organization_id = head.organization_id and e.livemode = head.livemode and e.sequence > head.purged
         and e.recorded_at < ?::timestamptz and e.sequence < coalesce((
           select later.sequence from event later
           where later.organization_id = head.organization_id and later.livemode = head.livemode
             and later.sequence > head.purged and later.recorded_at >= ?::timestamptz + interval '1 hour'
           order by later.sequence limit 1), 9223372036854775807)), 0))
     where ${isServed('head.organization_id')}`,
    [from, from],
  );
}

/** Deletes in small transactions, so that no caller waits for long. */
async function deleteBatches(em: EntityManager, from: Date, condition: string): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await em.transactional((em) => deleteBatch(em, from, condition));
    total += deleted;
    if (deleted < batchSize) return total;
  }
}

async function deleteBatch(em: EntityManager, from: Date, condition: string): Promise<number> {
  const gone = await em.execute<{ cause: string | null }[]>(
    `delete from event where id in (
       select id from event where sequence is not null and recorded_at < ? ${condition} and ${isServed()}
         and not exists (select 1 from webhook_delivery
           where webhook_delivery.event_id = event.id and webhook_delivery.status = 'pending')
       order by recorded_at limit ${batchSize})
     returning cause`,
    [from],
  );
  const causes = [...new Set(gone.flatMap(({ cause }) => cause ?? []))];
  if (causes.length > 0) {
    await em.execute(
      `delete from cause where id in (select jsonb_array_elements_text(?::jsonb))
         and not exists (select 1 from event where event.cause = cause.id)`,
      [JSON.stringify(causes)],
    );
  }
  return gone.length;
}
