import type { EntityManager } from '@mikro-orm/postgresql';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { forEachDue, onlyPage } from '#domain/kernel/for-each-due.ts';
import { executePrepaidTopUp, isLow } from '#domain/rules/collection/execute-prepaid-top-up.ts';

const most = 100;

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
      page: onlyPage(
        em,
        `from prepaid_top_up due join customer c on c.id = due.customer_id
         where ${isLow('due')} and coalesce(due.waits_until, ?) <= ? and c.test_clock_id is null
         order by due.id limit ${most}`,
        [now, now],
      ),
    },
    (session, { id }) => executePrepaidTopUp(session, id),
  );
