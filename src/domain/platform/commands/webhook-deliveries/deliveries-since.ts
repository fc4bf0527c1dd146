import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#engines/lockstep/statement.ts';

const batchSize = 500;

/** The longest time from the start of a transaction, which dates its changes, to its end. */
const longestTransaction = '2 minutes';

/**
 * The ids of the deliveries that have changed since a place in the feed, in batches. Attempts have no place there, so
 * the time of the event at the place counts, and deliveries that changed shortly before it are among them.
 */
export async function* deliveriesSince(
  { em, pricingModelId, organizationId, livemode }: Session,
  sequence: number,
): AsyncGenerator<readonly string[]> {
  for (let last: readonly [string, string] = ['-infinity', '']; ; ) {
    const rows = await statement<{ id: string; changed: string }>(
      em,
      'deliveries since a sequence',
      `select id, updated_at::text as changed from webhook_delivery
       where pricing_model_id = $1 and (updated_at, id) > ($3::timestamptz, $4) and updated_at >= coalesce((
         select recorded_at - interval '${longestTransaction}' from event
         where organization_id = $5 and livemode = $6 and sequence <= $2 order by sequence desc limit 1), '-infinity')
       order by updated_at, id limit ${batchSize}`,
      [pricingModelId, sequence, ...last, organizationId, livemode],
    );
    if (rows.length > 0) yield rows.map(({ id }) => id);
    const { changed, id } = rows.at(-1) ?? {};
    if (rows.length < batchSize || changed === undefined || id === undefined) return;
    last = [changed, id];
  }
}
