import type { EntityManager } from '@mikro-orm/postgresql';
import { statement } from '#engines/lockstep/statement.ts';
import type { AcceptedCall } from './usage-stream.ts';

/** A call whose organization is in another cell. */
export interface ForwardedCall extends AcceptedCall {
  readonly cell: string;
}

const most = 200;

/**
 * Keeps the calls of organizations that are in another cell, or arrive from one, until they can be forwarded. Returns
 * the others.
 */
export async function keepOfMoved(
  em: EntityManager,
  calls: readonly AcceptedCall[],
): Promise<readonly AcceptedCall[]> {
  if (calls.length === 0) return calls;
  const rows = await statement<{ id: string }>(
    em,
    'organizations of streamed calls that are elsewhere',
    `select organization_id as id from organization_move
     where organization_id = any($1::text[]) and state in ('moved', 'arriving')`,
    [[...new Set(calls.map(({ organizationId }) => organizationId))]],
  );
  if (rows.length === 0) return calls;
  const elsewhere = new Set(rows.map(({ id }) => id));
  const kept = calls.filter(({ organizationId }) => elsewhere.has(organizationId));
  await em.execute(
    `insert into usage_forward (position, pricing_model_id, organization_id, livemode, accepted_at, origin, events)
     select position, pricing_model_id, organization_id, livemode, accepted_at, origin, events
     from jsonb_to_recordset(?) as call (position text, pricing_model_id text, organization_id text, livemode boolean,
       accepted_at timestamptz, origin text, events jsonb)
     on conflict do nothing`,
    [
      JSON.stringify(
        kept.map(({ pricingModelId, organizationId, acceptedAt, ...call }) => ({
          ...call,
          pricing_model_id: pricingModelId,
          organization_id: organizationId,
          accepted_at: acceptedAt,
        })),
      ),
    ],
  );
  return calls.filter(({ organizationId }) => !elsewhere.has(organizationId));
}

/** Takes kept calls of organizations that are in another cell. Each is taken by one transaction, which may fail. */
export const takeElsewhere = (em: EntityManager) =>
  take<ForwardedCall>(em, 'elsewhere', `m.state = 'moved'`);

/** Takes kept calls of organizations that have arrived here meanwhile. */
export const takeArrived = (em: EntityManager) =>
  take<AcceptedCall>(em, 'here', `coalesce(m.state, 'arrived') in ('arrived', 'copying')`);

const take = <Call extends object>(em: EntityManager, name: string, condition: string) =>
  statement<Call>(
    em,
    `kept usage ${name}`,
    `with next as (
       select f.pricing_model_id, f.position, m.cell from usage_forward f
         left join organization_move m on m.organization_id = f.organization_id
       where ${condition} order by f.position limit ${most} for update of f skip locked)
     delete from usage_forward f using next
     where f.pricing_model_id = next.pricing_model_id and f.position = next.position
     returning f.position, f.pricing_model_id as "pricingModelId", f.organization_id as "organizationId", f.livemode,
       f.accepted_at as "acceptedAt", f.origin, f.events, next.cell`,
    [],
  );
