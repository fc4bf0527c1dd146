import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { command } from '#domain/kernel/command.ts';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { forEachDue, onlyPage } from '#domain/kernel/for-each-due.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { followAlertRule } from '#domain/rules/ledger/follow-alert-rules.ts';
import { afresh, afreshAtPresent } from '#domain/rules/locks/fresh-session.ts';
import { changeAlert } from '#domain/rules/present/change-alert.ts';
import { AlertRule } from './alert-rule.ts';
import { customersToFollow } from './customers-of-rule.ts';

const pageSize = 100;

/**
 * Gives the customers of every tenant the alerts of new and changed rules, one customer after the other. A stop loses
 * nothing, since each run looks for customers without the present terms. Returns the number of customers.
 */
export async function applyAlertRules(
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
): Promise<number> {
  let applied = 0;
  // Once all have the terms, one more look follows, since it reads every subscription of a pricing model.
  const rest = `from alert_rule due where due.settles_at is not null
    and (due.applied_at is null or due.settles_at <= clock_timestamp()) order by due.id`;
  const page = onlyPage(em, rest, []);
  await forEachDue({ em, now, causeId, onFailure }, { page }, async (session, { id }) => {
    applied += await applyRule(session, id);
  });
  return applied;
}

async function applyRule(session: Session, id: string): Promise<number> {
  const rule = await afresh(session).em.findOneOrFail(AlertRule, id);
  let [applied, failed, after] = [0, 0, ''];
  for (;;) {
    const page = { after, limit: pageSize };
    const customers = await customersToFollow(afresh(session), rule, page);
    for (const customerId of customers) {
      try {
        await follow(afresh(session), id, customerId);
        applied++;
      } catch (error) {
        failed++;
        report(session, customerId, error);
      }
    }
    after = customers.at(-1) ?? '';
    if (customers.length < pageSize) break;
  }
  if (failed === 0) await finish(await afreshAtPresent(session), rule);
  return applied;
}

/** Applies a rule to one customer, whose lock keeps openings of subscriptions away. */
const follow = (session: Session, id: string, customerId: string) =>
  changeAlert(session, { customerId, subscriptionId: null }, async (session) => {
    const rule = await session.em.findOneOrFail(AlertRule, id, { refresh: true });
    await followAlertRule(session, rule, customerId);
  });

/** Notes that all customers have the terms. A last run looks for those that subscribed meanwhile. */
const finish = (session: Session, { id, revision }: AlertRule) =>
  command(session, async ({ em, now }) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
    const rule = await em.findOneOrFail(AlertRule, id, lock);
    if (rule.revision !== revision) return;
    rule.appliedAt ??= now;
    await em.flush();
    const settled = { id, settlesAt: { $lte: now } };
    await em.nativeUpdate(AlertRule, settled, { settlesAt: null });
  });
