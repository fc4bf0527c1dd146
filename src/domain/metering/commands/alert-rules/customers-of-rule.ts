import type { Session } from '#domain/kernel/session.ts';
import type { AlertRule } from '#domain/model/metering/alert-rule.ts';

const subscribed = `from subscription s
  where s.pricing_model_id = ? and s.status not in ('canceled', 'incomplete_expired')`;

/** The customers whose alert a rule has to create or change, after the last one in the order of ids. */
export async function customersToFollow(
  { em, pricingModelId }: Session,
  { id, active, revision }: Pick<AlertRule, 'id' | 'active' | 'revision'>,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    `(select distinct s.customer_id as id ${subscribed} and ?::boolean and s.customer_id > ?
        and not exists (select from alert a where a.rule_id = ? and a.customer_id = s.customer_id)
      order by s.customer_id limit ?)
     union
     (select a.customer_id from alert a where a.rule_id = ? and a.rule_revision <> ? and a.customer_id > ?
      order by a.customer_id limit ?)
     order by id limit ?`,
    [pricingModelId, active, after, id, limit, id, revision, after, limit, limit],
  );
  return rows.map(({ id }) => id);
}

/** The number of customers with a current subscription, whom a rule concerns. */
export async function countSubscribed({ em, pricingModelId }: Session): Promise<number> {
  const [found] = await em.execute<{ count: string }[]>(
    `select count(distinct s.customer_id) as count ${subscribed}`,
    [pricingModelId],
  );
  return Number(found?.count);
}
