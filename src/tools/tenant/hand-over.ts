import type { CellClient } from './cell-database.ts';

const columns =
  'position, pricing_model_id, organization_id, livemode, accepted_at, origin, events';

/**
 * Hands over usage that the stream of the source accepted before the organization left, and later. The service forwards
 * it by itself where both cells use the same NATS servers.
 */
export async function handOver(source: CellClient, target: CellClient, organizationId: string) {
  await source.query('begin');
  try {
    const { rows } = await source.query<{ calls: string }>(
      `with gone as (delete from usage_forward where organization_id = $1 returning ${columns})
       select coalesce(jsonb_agg(gone), '[]')::text as calls from gone`,
      [organizationId],
    );
    await target.query(
      `insert into usage_forward (${columns})
       select ${columns} from jsonb_populate_recordset(null::usage_forward, $1) on conflict do nothing`,
      [rows[0]?.calls ?? '[]'],
    );
    await source.query('commit');
  } catch (error) {
    // The reason is the first error; a broken connection rolls back itself.
    await source.query('rollback').catch(() => {});
    throw error;
  }
}
