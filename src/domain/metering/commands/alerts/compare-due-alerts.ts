import { dueSweep, pagesById } from '#domain/kernel/for-each-due.ts';
import { compareAtTime } from '#domain/metering/credits/compare-at-time.ts';
import { countAcceptedUsage } from '#domain/recording/inbox/count-accepted-usage.ts';

const dueWatches = `from usage_watch w join subscription due on due.id = w.subscription_id
  where w.due_at <= ? and due.test_clock_id is null`;

/** Compares the alerts whose values time has changed, of every tenant. Test clocks are excluded. Returns the number. */
export const compareDueAlerts = dueSweep(
  (em, now) => pagesById(em, dueWatches, [now]),
  async (session, { id }) => {
    await countAcceptedUsage(session, [id]);
    await compareAtTime(session, id);
  },
);
