import type { EntityManager } from '@mikro-orm/postgresql';
import { statement } from '#engines/lockstep/statement.ts';
import type { Tenant } from './inbox-part.ts';

/** The pricing models that this process knows to be marked, by connection. */
const marked = new WeakMap<object, Set<string>>();

/**
 * Marks a pricing model whose usage a stream accepts, before the first of it: readers of other pricing models need not
 * ask the stream.
 */
export async function markStreamed(
  em: EntityManager,
  { organizationId, pricingModelId }: Tenant,
): Promise<void> {
  const connection = em.getConnection();
  const known = marked.get(connection) ?? new Set();
  marked.set(connection, known);
  if (known.has(pricingModelId)) return;
  await statement(
    em,
    'mark of streamed usage',
    `insert into usage_stream_model (pricing_model_id, organization_id) values ($1, $2)
     on conflict do nothing`,
    [pricingModelId, organizationId],
  );
  known.add(pricingModelId);
}

/** The marked pricing models among some. */
export async function streamedModels(
  em: EntityManager,
  pricingModelIds: readonly string[],
): Promise<string[]> {
  const rows = await statement<{ id: string }>(
    em,
    'pricing models with streamed usage',
    'select pricing_model_id as id from usage_stream_model where pricing_model_id = any($1::text[])',
    [pricingModelIds],
  );
  return rows.map(({ id }) => id);
}
