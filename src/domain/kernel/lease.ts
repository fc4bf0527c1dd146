import { newId } from './ids.ts';
import type { Session } from './session.ts';

/** A run states every 5 seconds that it is alive; one that has not for this long has ended with its process. */
const silentSeconds = 15;

/** A new name of the holder of a lease, which ends with the run of the job that works, where there is one. */
export const leaseHolder = ({ cronRunId }: Pick<Session, 'cronRunId'>): string =>
  [newId('lease'), cronRunId].filter(Boolean).join(' ');

/** The condition for rows without a valid lease: it is over, or the run of its holder has ended. */
export const isUnleased = `(lease_until is null or lease_until < clock_timestamp() or exists (
  select from cron_run holding where holding.id = substr(lease_holder, strpos(lease_holder, ' ') + 1)
    and (holding.finished_at is not null or holding.alive_at < clock_timestamp() - interval '${silentSeconds} seconds')))`;
