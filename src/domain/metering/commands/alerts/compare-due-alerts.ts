import type { EntityManager } from '@mikro-orm/postgresql';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { type DueRow, forEachDue } from '#domain/kernel/for-each-due.ts';
import { compareAtTime } from '#domain/metering/credits/compare-at-time.ts';
import { countAcceptedUsage } from '#domain/recording/inbox/count-accepted-usage.ts';

const pageSize = 100;

/** Compares the alerts whose values time has changed, of every tenant. Test clocks are excluded. Returns the number. */
export const compareDueAlerts = (
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
): Promise<number> =>
  forEachDue(
    { em, now, causeId, onFailure },
    { page: (last) => dueWatches(em, now, last?.id ?? ''), pageSize },
    async (session, { id }) => {
      await countAcceptedUsage(session, [id]);
      await compareAtTime(session, id);
    },
  );

const dueWatches = (em: EntityManager, now: Date, after: string): Promise<DueRow[]> =>
  em.execute<DueRow[]>(
    `select s.id, s.organization_id as "organizationId", s.pricing_model_id as "pricingModelId", s.livemode
     from usage_watch w join subscription s on s.id = w.subscription_id
     where w.due_at <= ? and s.test_clock_id is null and s.id > ?
     order by s.id limit ${pageSize}`,
    [now, after],
  );
