import type { EntityManager } from '@mikro-orm/postgresql';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { type DueRow, forEachDue } from '#domain/kernel/for-each-due.ts';
import { executePrepaidTopUp, isLow } from '#domain/rules/collection/execute-prepaid-top-up.ts';

const pageSize = 100;

/** Buys for the due prepaid top-ups of every tenant. Test clocks are excluded. Returns their number. */
export const executeDuePrepaidTopUps = (
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
): Promise<number> =>
  forEachDue(
    { em, now, causeId, onFailure },
    {
      page: (last) =>
        em.execute<DueRow[]>(
          `select due.id, due.organization_id as "organizationId", due.pricing_model_id as "pricingModelId", due.livemode
           from prepaid_top_up due join customer c on c.id = due.customer_id
           where ${isLow('due')} and coalesce(due.waits_until, ?) <= ? and c.test_clock_id is null and due.id > ?
           order by due.id limit ${pageSize}`,
          [now, now, last?.id ?? ''],
        ),
      pageSize,
    },
    (session, { id }) => executePrepaidTopUp(session, id),
  );
