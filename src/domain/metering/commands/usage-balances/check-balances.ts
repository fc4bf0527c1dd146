import type { EntityManager } from '@mikro-orm/postgresql';
import { accounts } from '#domain/model/metering/accounts.ts';

const sums = accounts.map((account) => `coalesce(sum(${account}), 0) as ${account}`).join(', ');
const differs = accounts.map((account) => `b.${account} <> l.${account}`).join(' or ');

/**
 * Recomputes balances of any tenant and compares. It compares accounts with the sums of their ledgers, credits with
 * the remaining units of each credit, and usage with the totals of its periods. Returns how many it compared. Errors:
 * one that names the balances that differ.
 */
export async function checkBalances(em: EntityManager, changedSince: Date): Promise<number> {
  const [{ compared, wrong }] = await em.execute<[{ compared: string; wrong: string[] }]>(
    `select count(*) as compared, coalesce(json_agg(b.id) filter (where ${differs}
         or b.credits <> (select coalesce(sum(remaining), 0) from usage_credit where balance_id = b.id)
         or b.expired <> (select coalesce(sum(expired), 0) from usage_credit where balance_id = b.id)
         or b.usage <> (select coalesce(sum(usage), 0) from usage_total where balance_id = b.id)), '[]') as wrong
     from usage_meter_balance b
     cross join lateral (select ${sums} from ledger_transaction where balance_id = b.id) l
     where b.updated_at >= ?`,
    [changedSince],
  );
  if (wrong.length > 0) {
    throw new Error(`The balances ${wrong.join(', ')} differ from their ledgers`);
  }
  return Number(compared);
}
