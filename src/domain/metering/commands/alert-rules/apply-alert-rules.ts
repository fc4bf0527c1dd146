import type { EntityManager } from '@mikro-orm/postgresql';
import { isOutage } from '#domain/kernel/database-failure.ts';
import { despiteFailures } from '#domain/kernel/despite-failures.ts';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { forEachDue, onlyPage } from '#domain/kernel/for-each-due.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { followAlertRule } from '#domain/metering/alerts/follow-alert-rules.ts';
import { AlertRule } from '#domain/model/metering/alert-rule.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { changeAlert } from '#domain/recording/present/change-alert.ts';
import { customersToFollow } from './customers-of-rule.ts';
import { endPass, isDue, keepPage, leasePage, leavePage } from './rule-pass.ts';

/** How much of each rule a sweep does: pages of customers, and customers in a page. */
const mostOfRule = { pages: 10, pageSize: 100 };

/**
 * Gives the customers of every tenant the alerts of new and changed rules, one customer after the other. The rules take
 * turns: a rule with many customers waits after each page for the others. A stop loses nothing, since each pass looks for
 * customers without the present terms. A failure of the database is none of a customer. Returns the number of customers.
 */
export async function applyAlertRules(
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
  { pages, pageSize } = mostOfRule,
): Promise<number> {
  const page = onlyPage(em, `from alert_rule due where ${isDue} order by due.id`, []);
  let applied = 0;
  for (let turn = 0, hasMore = true; hasMore && turn < pages; turn++) {
    hasMore = false;
    await forEachDue({ em, now, causeId, onFailure }, { page }, async (session, { id }) => {
      const done = await applyPage(session, id, pageSize);
      applied += done.applied;
      hasMore ||= done.hasMore;
    });
  }
  return applied;
}

async function applyPage(session: Session, id: string, limit: number) {
  let [applied, failed] = [0, 0];
  const page = await leasePage(session, id);
  if (!page) return { applied, hasMore: false };
  const customers = await customersToFollow(afresh(session), page, { after: page.after, limit });
  for (const customerId of customers) {
    try {
      await despiteFailures(() => follow(afresh(session), id, customerId));
      applied++;
    } catch (error) {
      if (isOutage(error)) {
        await leavePage(session, page).catch((failure) => report(session, id, failure));
        throw error;
      }
      failed++;
      report(session, customerId, error);
    }
  }
  const last = customers.at(-1);
  const hasMore = last !== undefined && customers.length === limit;
  if (hasMore) await keepPage(session, page, { last, failed });
  else await endPass(session, page, failed);
  return { applied, hasMore };
}

/** Applies a rule to one customer, whose lock keeps openings of subscriptions away. */
const follow = (session: Session, id: string, customerId: string) =>
  changeAlert(session, { customerId, subscriptionId: null }, async (session) => {
    const rule = await session.em.findOneOrFail(AlertRule, id, { refresh: true });
    await followAlertRule(session, rule, customerId);
  });
