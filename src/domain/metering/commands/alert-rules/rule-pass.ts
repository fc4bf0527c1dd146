import { LockMode } from '@mikro-orm/core';
import { command } from '#domain/kernel/command.ts';
import { isUnleased, leaseHolder } from '#domain/kernel/lease.ts';
import type { Session } from '#domain/kernel/session.ts';
import { AlertRule } from '#domain/model/metering/alert-rule.ts';
import { afresh, afreshAtPresent } from '#domain/platform/locks/fresh-session.ts';

const firstPauseMilliseconds = 20_000;
const longestPauseMilliseconds = 3_600_000;

/**
 * The rules with customers to look for, which no other process works on. Once all have the terms, one more pass follows,
 * since it reads every subscription of a pricing model.
 */
export const isDue = `settles_at is not null
  and (applied_at is null or failed_customers > 0 or settles_at <= clock_timestamp())
  and (retry_at is null or retry_at <= clock_timestamp()) and ${isUnleased}`;

/** A page of the pass through the customers of a rule, which one process works on. */
export interface RulePage {
  readonly id: string;
  readonly active: boolean;
  readonly revision: number;
  /** The last customer of the page before, or an empty text. */
  readonly after: string;
  readonly holder: string;
}

/** Leases the next page of a due rule, with its present terms; undefined if another process has it, or it is done. */
export async function leasePage(session: Session, id: string): Promise<RulePage | undefined> {
  const holder = leaseHolder(session);
  const [page] = await afresh(session).em.execute<RulePage[]>(
    `update alert_rule set lease_holder = ?, lease_until = clock_timestamp() + interval '5 minutes',
       pass_began_at = coalesce(pass_began_at, clock_timestamp())
     where id = ? and pricing_model_id = ? and ${isDue}
     returning id, active, revision, coalesce(cursor, '') as after, lease_holder as holder`,
    [holder, id, session.pricingModelId],
  );
  return page;
}

/** Frees a rule for its next page, after the last customer of this one. A rule that has changed begins anew. */
export const keepPage = (
  session: Session,
  { id, revision, holder }: RulePage,
  { last, failed }: { readonly last: string; readonly failed: number },
) =>
  afresh(session).em.execute(
    `update alert_rule set lease_until = null, cursor = case when revision = ? then ? else cursor end,
       pass_failures = case when revision = ? then pass_failures + ? else pass_failures end
     where id = ? and pricing_model_id = ? and lease_holder = ?`,
    [revision, last, revision, failed, id, session.pricingModelId, holder],
  );

/** Frees a rule whose page was not finished: it is begun anew. */
export const leavePage = (session: Session, { id, holder }: RulePage) =>
  afresh(session).em.execute(
    `update alert_rule set lease_until = null
     where id = ? and pricing_model_id = ? and lease_holder = ?`,
    [id, session.pricingModelId, holder],
  );

/**
 * Ends a pass with its last page: all customers have the terms, but those that failed. A pass that has begun before the
 * rule was settled is not the last one. After failures, the next pass begins later, with growing pauses.
 */
export const endPass = async (
  session: Session,
  { id, revision, holder }: RulePage,
  failed: number,
) =>
  command(await afreshAtPresent(session), async ({ em, now }) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
    const rule = await em.findOneOrFail(AlertRule, id, lock);
    if (rule.leaseHolder !== holder) return;
    if (rule.revision !== revision) {
      await em.nativeUpdate(AlertRule, { id }, { leaseUntil: null });
      return;
    }
    const { passFailures, failedPasses, passBeganAt, settlesAt } = rule;
    const ended = { leaseUntil: null, cursor: null, passBeganAt: null, passFailures: 0 };
    rule.appliedAt ??= now;
    rule.failedCustomers = passFailures + failed;
    await em.flush();
    if (rule.failedCustomers > 0) {
      const pause = Math.min(firstPauseMilliseconds * 2 ** failedPasses, longestPauseMilliseconds);
      const retryAt = new Date(now.getTime() + pause);
      const next = { ...ended, retryAt, failedPasses: failedPasses + 1 };
      await em.nativeUpdate(AlertRule, { id }, next);
      return;
    }
    const isSettled = settlesAt != null && passBeganAt != null && settlesAt <= passBeganAt;
    const next = {
      ...ended,
      retryAt: null,
      failedPasses: 0,
      ...(isSettled && { settlesAt: null }),
    };
    await em.nativeUpdate(AlertRule, { id }, next);
  });
