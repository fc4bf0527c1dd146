import type { EntityManager } from '@mikro-orm/postgresql';
import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { mrrAtSql, presentSql } from './subscription-conditions.ts';

/** The monthly recurring revenue of a subscription now, by the clock of its customer, in minor units. */
export const presentMrr = async (session: Session, id: string): Promise<number> =>
  (await batched(session, 'present MRR', id, presentMrrOf)) ?? 0;

async function presentMrrOf(session: Session, ids: readonly string[]) {
  const rows = await statement<{ id: string; mrr: string }>(
    session.em,
    'present MRR',
    `select s.id, ${mrrAtSql('s', presentSql('s', '$2::timestamptz'))} as mrr
     from subscription s where s.id = any($1::text[]) and s.pricing_model_id = $3`,
    [ids, session.now, session.pricingModelId],
  );
  return new Map(rows.map(({ id, mrr }) => [id, Number(mrr)]));
}

const mostAtOnce = 500;

/**
 * Stores the MRR of subscriptions whose items have begun or ended by their dates. No answer waits for it: conditions
 * compute the value where it is due. Returns the number of subscriptions.
 */
export async function applyPlannedMrr(em: EntityManager, now: Date): Promise<number> {
  let all = 0;
  for (;;) {
    const [row] = await statement<{ applied: number }>(
      em,
      'apply planned MRR',
      'select apply_planned_mrr($1, $2) as applied',
      [now, mostAtOnce],
    );
    all += row?.applied ?? 0;
    if ((row?.applied ?? 0) < mostAtOnce) return all;
  }
}
