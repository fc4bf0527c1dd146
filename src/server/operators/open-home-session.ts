import type { MikroORM } from '@mikro-orm/postgresql';
import { type Actor, openSession, type Session } from '#domain/kernel/session.ts';
import { presentOf } from '#domain/kernel/values/present.ts';

/**
 * A session of the process in an organization, for changes of its operators. Their events belong to the default
 * pricing model of live mode; of test mode where live mode has none.
 */
export async function openHomeSession(
  orm: MikroORM,
  organizationId: string,
  {
    actor,
    causeId,
    now,
  }: { readonly actor: Actor; readonly causeId?: string | undefined; readonly now?: Date },
): Promise<Session> {
  const present = now ?? (await presentOf(orm.em));
  const [home] = await orm.em.fork().execute<{ id: string; livemode: boolean }[]>(
    `select id, livemode from pricing_model where organization_id = ?
     order by livemode desc, is_default desc, created_at limit 1`,
    [organizationId],
  );
  if (!home) throw new Error(`The organization ${organizationId} has no pricing model`);
  const scope = {
    organizationId,
    livemode: home.livemode,
    pricingModelId: home.id,
    keyType: 'secret',
    now: present,
    clock: { latest: present },
    actor,
    ...(causeId && { causeId }),
  } as const;
  return openSession(orm.em, scope);
}
