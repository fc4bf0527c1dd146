import type { EntityManager } from '@mikro-orm/postgresql';
import { isServed } from '#domain/kernel/absent-organizations.ts';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { inLanes } from '#domain/kernel/in-lanes.ts';
import { openSession } from '#domain/kernel/session.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { countEarlier, mostAtOnce } from './count-accepted-usage.ts';
import { countParts } from './count-parts.ts';
import { readParts, type Tenant } from './inbox-part.ts';

/** A share of a tenant's inbox: one process at a time counts it. */
interface Share extends Tenant {
  readonly slot: number;
}

const workers = 2;
/** A writer that does not renew its lease for this long has ended. */
const leaseSeconds = 15;

/**
 * Counts the accepted usage of all tenants until nothing waits, or other processes count the rest. One process at a
 * time counts a slot of a tenant: it has a lease. The lease only prevents repeated work; the transaction that counts a
 * part removes it, so that no part counts twice. Returns how many events it counted.
 */
export async function drainInbox(
  em: EntityManager,
  now: Date,
  onFailure: OnFailure,
): Promise<number> {
  const holder = crypto.randomUUID();
  const failed = new Set<string>();
  let counted = 0;
  for (;;) {
    const shares = (await pendingShares(em)).filter((share) => !failed.has(keyOf(share)));
    let moved = 0;
    const work = async () => {
      for (let share = shares.pop(); share; share = shares.pop()) {
        if (!(await takeLease(em, share, holder))) continue;
        try {
          moved += await countShare(em, share, now);
        } catch (error) {
          failed.add(keyOf(share));
          onFailure(error, { id: keyOf(share), organizationId: share.organizationId });
        }
      }
    };
    await inLanes(workers, work);
    counted += moved;
    if (moved === 0) break;
  }
  await statement(em, undefined, 'delete from usage_event_inbox_lease where holder = $1', [holder]);
  return counted;
}

const keyOf = ({ pricingModelId, slot }: Share) => `${pricingModelId} ${slot}`;

/** The next parts of a share, in one transaction. Every share has its turn before the same one has another. */
async function countShare(em: EntityManager, share: Share, now: Date): Promise<number> {
  const { organizationId, livemode, pricingModelId, slot } = share;
  const scope = { organizationId, livemode, pricingModelId, keyType: 'secret' as const, now };
  const session = openSession(em, { ...scope, actor: { type: 'system', id: 'usage-inbox' } });
  const limits = { most: mostAtOnce, skips: true };
  const parts = await readParts(session.em, share, { slots: [slot] }, limits);
  await countParts(session, parts, countEarlier);
  return parts.reduce((sum, { events }) => sum + events.length, 0);
}

/** The shares with usage that waits, found by skipping from one tenant to the next. */
const pendingShares = (em: EntityManager) =>
  statement<Share>(
    em,
    'shares with usage',
    `with recursive share as (
       select slot, first.pricing_model_id from generate_series(0, 7) slot,
         lateral (select pricing_model_id from usage_event_inbox i where i.slot = slot.slot
           order by pricing_model_id limit 1) first
       union all
       select share.slot, next.pricing_model_id from share,
         lateral (select pricing_model_id from usage_event_inbox i
           where i.slot = share.slot and i.pricing_model_id > share.pricing_model_id
           order by pricing_model_id limit 1) next)
     select share.slot, m.id as "pricingModelId", m.organization_id as "organizationId", m.livemode
     from share join pricing_model m on m.id = share.pricing_model_id
     where ${isServed('m.organization_id')}
     order by random()`,
    [],
  );

async function takeLease(em: EntityManager, { pricingModelId, slot }: Share, holder: string) {
  const taken = await statement(
    em,
    'lease of usage',
    `insert into usage_event_inbox_lease as lease (pricing_model_id, slot, holder, until)
     values ($1, $2, $3, clock_timestamp() + interval '${leaseSeconds} s')
     on conflict (pricing_model_id, slot) do update set holder = excluded.holder, until = excluded.until
     where lease.holder = excluded.holder or lease.until < clock_timestamp()
     returning slot`,
    [pricingModelId, slot, holder],
  );
  return taken.length > 0;
}
