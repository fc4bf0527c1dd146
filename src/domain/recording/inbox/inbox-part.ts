import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor, Session } from '#domain/kernel/session.ts';
import type { CauseRow } from '#domain/kernel/unit-cause.ts';
import type { UsageEventInput } from '#domain/recording/usage-event-input.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** How many parts the inbox has. Writers work on different parts at the same time. */
const slotCount = 8;

/** The origin of accepted usage, as the call had it. */
interface Origin {
  readonly causeId: string | null;
  readonly actor: Actor;
  readonly cause: CauseRow;
}

/** The events of one call in one slot of the inbox. */
export interface InboxPart {
  readonly slot: number;
  /** The position that the call was answered with; its parts share it. */
  readonly position: string;
  readonly acceptedAt: Date;
  readonly origin: Origin;
  readonly events: readonly UsageEventInput[];
}

export type Tenant = Pick<Session, 'organizationId' | 'livemode' | 'pricingModelId'>;

/** A part before it is read: the texts are JSON. */
interface Row {
  readonly slot: number;
  readonly position: string;
  readonly accepted: number;
  readonly origin: string;
  readonly events: string;
}

const basis = 0x811c9dc5;
const prime = 0x01000193;

/** The hash (FNV-1a, 32 bits) of an id that names the owner of usage: a subscription or a customer. */
export function ownerHash(id: string): number {
  let hash = basis;
  for (let place = 0; place < id.length; place++) {
    hash = Math.imul(hash ^ id.charCodeAt(place), prime);
  }
  // The low bits of similar ids differ little without another mix.
  return Math.imul(hash ^ (hash >>> 15), prime) | 0;
}

export const slotOf = (hash: number) => hash & (slotCount - 1);

/** The id by which an event names its owner. */
export const ownerOf = ({ subscriptionId, customerId, customerExternalId }: UsageEventInput) =>
  subscriptionId ?? customerId ?? customerExternalId ?? '';

const dated = (event: UsageEventInput): UsageEventInput =>
  event.usageDate == null ? event : { ...event, usageDate: new Date(event.usageDate) };

const partOf = ({ slot, position, accepted, origin, events }: Row): InboxPart => ({
  slot,
  position,
  acceptedAt: new Date(accepted),
  origin: JSON.parse(origin) as Origin,
  events: (JSON.parse(events) as UsageEventInput[]).map(dated),
});

const columns = `slot, position, extract(epoch from accepted_at)::float8 * 1000 as accepted, origin, events`;

/** The part of a pricing model's inbox to read. */
export interface Wanted {
  /** The slots; all of them when absent. */
  readonly slots?: readonly number[];
  /** The owners, as hashes; a part with an event of one of them is read as a whole. */
  readonly owners?: readonly number[] | undefined;
  /** The last position to read. */
  readonly upTo?: string;
  /** The part before which to stop. */
  readonly before?: string;
}

/**
 * The earliest parts that wait to be counted, with at most `most` events unless the first has more. It waits for
 * those that another transaction counts, unless `skips` passes them over.
 */
export async function readParts(
  em: EntityManager,
  { pricingModelId }: Pick<Tenant, 'pricingModelId'>,
  { slots = allSlots, owners, upTo = '~', before = '~' }: Wanted,
  { most, skips = false }: { most: number; skips?: boolean },
): Promise<InboxPart[]> {
  const rows = await statement<Row>(
    em,
    `pending usage ${owners ? 'of owners' : 'of all'} ${skips}`,
    `with found as (
       select slot, position, sum(count) over (order by position, slot) - count as earlier
       from usage_event_inbox
       where pricing_model_id = $1 and slot = any($2::int[]) and position <= $3 and position < $4
         ${owners ? 'and owners && $6::int[]' : ''}
       order by position, slot limit 1000)
     select ${columns} from usage_event_inbox
     where pricing_model_id = $1 and slot = any($2::int[])
       and (slot, position) in (select slot, position from found where earlier < $5)
     order by position, slot
     for update ${skips ? 'skip locked' : ''}`,
    [pricingModelId, slots, upTo, before, most, ...(owners ? [owners] : [])],
  );
  return rows.map(partOf);
}

const allSlots = Array.from({ length: slotCount }, (_, slot) => slot);

/** The last position of the inbox; undefined when nothing waits. */
export async function lastPosition(
  em: EntityManager,
  { pricingModelId }: Pick<Tenant, 'pricingModelId'>,
): Promise<string | undefined> {
  const [row] = await statement<{ position: string }>(
    em,
    'last pending usage',
    'select position from usage_event_inbox where pricing_model_id = $1 order by position desc limit 1',
    [pricingModelId],
  );
  return row?.position;
}

const keysOf = (parts: readonly InboxPart[]) => [
  parts.map(({ slot }) => slot),
  parts.map(({ position }) => position),
];

/** Locks parts until the transaction ends. Returns whether all of them wait still. */
export async function lockParts(
  em: EntityManager,
  { pricingModelId }: Tenant,
  parts: readonly InboxPart[],
): Promise<boolean> {
  const rows = await statement(
    em,
    'locked usage parts',
    `select i.slot from usage_event_inbox i
     join unnest($2::int[], $3::text[]) as part (slot, position) using (slot, position)
     where i.pricing_model_id = $1 order by i.position, i.slot for update of i`,
    [pricingModelId, ...keysOf(parts)],
  );
  return rows.length === parts.length;
}

/** Removes counted parts. */
export async function removeParts(
  em: EntityManager,
  { pricingModelId }: Tenant,
  parts: readonly InboxPart[],
) {
  await statement(
    em,
    'counted usage parts',
    `delete from usage_event_inbox i using unnest($2::int[], $3::text[]) as part (slot, position)
     where i.pricing_model_id = $1 and i.slot = part.slot and i.position = part.position`,
    [pricingModelId, ...keysOf(parts)],
  );
}

/** How many events of a position wait to be counted. */
export async function pendingAt(
  em: EntityManager,
  { pricingModelId }: Pick<Tenant, 'pricingModelId'>,
  position: string,
): Promise<number> {
  const [row] = await statement<{ pending: number }>(
    em,
    'usage of a position',
    `select coalesce(sum(count), 0)::int as pending from usage_event_inbox
     where pricing_model_id = $1 and position = $2`,
    [pricingModelId, position],
  );
  return row?.pending ?? 0;
}

/** The pricing models of some that have usage that waits. */
export async function modelsWithUsage(
  em: EntityManager,
  pricingModelIds: readonly string[],
): Promise<string[]> {
  const rows = await statement<{ id: string }>(
    em,
    'pricing models with pending usage',
    `select id from unnest($1::text[]) as model (id)
     where exists (select from usage_event_inbox where pricing_model_id = model.id)`,
    [pricingModelIds],
  );
  return rows.map(({ id }) => id);
}

/** Whether the connection is that of a standby, which cannot count usage. */
export async function isStandby(em: EntityManager): Promise<boolean> {
  const [row] = await statement<{ standby: boolean }>(
    em,
    'standby',
    'select pg_is_in_recovery() as standby',
    [],
  );
  return row?.standby ?? false;
}
