import type { EntityManager } from '@mikro-orm/postgresql';
import { Batching } from '#domain/kernel/batching.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import type { UsageEventInput } from '#domain/rules/recording/usage-event-input.ts';
import { ownerHash, ownerOf, slotOf, type Tenant } from './inbox-part.ts';

/** The events of one call on their way into the inbox. */
interface Accepted extends Tenant {
  readonly position: string;
  readonly acceptedAt: Date;
  /** JSON. */
  readonly origin: string;
  readonly events: readonly UsageEventInput[];
}

const sizeOf = ({ events }: Accepted) => events.length;
/** While one transaction waits for the disk, another one is written. */
const batches = { workers: 3, most: 20_000, sizeOf };
const gatherings = new WeakMap<object, Batching<Accepted, void>>();

/**
 * Writes the events of a call into the inbox of their pricing model, together with simultaneous calls. They are
 * durable when it returns; within a transaction, when that is committed.
 */
export async function insertUsage(
  session: Session,
  position: string,
  events: readonly UsageEventInput[],
): Promise<void> {
  const { em, organizationId, livemode, pricingModelId, now, causeId, actor, cause } = session;
  const origin = JSON.stringify({ causeId: causeId ?? null, actor, cause: cause.row() });
  const tenant = { organizationId, livemode, pricingModelId };
  const accepted = { ...tenant, position, acceptedAt: now, origin, events };
  if (em.isInTransaction()) return write(em, [accepted]);
  const connection = em.getConnection();
  let gathering = gatherings.get(connection);
  if (!gathering) {
    const own = em.fork();
    gathering = new Batching<Accepted, void>(async (calls) => {
      await write(own, calls);
      return calls.map(() => undefined);
    }, batches);
    gatherings.set(connection, gathering);
  }
  return gathering.add(accepted);
}

interface Part {
  readonly call: Accepted;
  readonly slot: number;
  readonly owners: Set<number>;
  readonly events: UsageEventInput[];
}

/** The parts of a call, one for each slot that its events have. */
function partsOf(call: Accepted): Part[] {
  const parts = new Map<number, Part>();
  for (const event of call.events) {
    const hash = ownerHash(ownerOf(event));
    const slot = slotOf(hash);
    let part = parts.get(slot);
    if (!part) {
      part = { call, slot, owners: new Set(), events: [] };
      parts.set(slot, part);
    }
    part.owners.add(hash);
    part.events.push(event);
  }
  return [...parts.values()];
}

/** The character 30, which separates records. */
const separator = String.fromCharCode(30);

async function write(em: EntityManager, calls: readonly Accepted[]) {
  const parts = calls.flatMap(partsOf);
  await statement(
    em,
    'accepted usage',
    `insert into usage_event_inbox
       (slot, position, pricing_model_id, organization_id, livemode, accepted_at, origin, owners, count, events)
     select slot, position, pricing_model_id, organization_id, livemode, accepted_at, origin, owners::int[], count, events
     from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::bool[], $6::timestamptz[], $7::text[], $8::text[],
       $9::int[], string_to_array($10, chr(30)))
       as part (slot, position, pricing_model_id, organization_id, livemode, accepted_at, origin, owners, count, events)`,
    [
      parts.map(({ slot }) => slot),
      parts.map(({ call }) => call.position),
      parts.map(({ call }) => call.pricingModelId),
      parts.map(({ call }) => call.organizationId),
      parts.map(({ call }) => call.livemode),
      parts.map(({ call }) => call.acceptedAt),
      parts.map(({ call }) => call.origin),
      parts.map(({ owners }) => `{${[...owners].join()}}`),
      parts.map(({ events }) => events.length),
      // One text: JSON has no control character, and the elements of an array would be escaped.
      parts.map(({ events }) => JSON.stringify(events)).join(separator),
    ],
  );
}
