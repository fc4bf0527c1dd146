import type { EntityManager } from '@mikro-orm/postgresql';
import { isRefusedByMove } from '#domain/kernel/absent-organizations.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { UsageEventInput } from '#domain/recording/usage-event-input.ts';
import { Batching } from '#engines/batching/batching.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { ownerHash, ownerOf, slotOf } from './inbox-part.ts';
import { markStreamed } from './streamed-models.ts';
import { type AcceptedCall, partitionOf, usageStream } from './usage-stream.ts';

const sizeOf = ({ events }: AcceptedCall) => events.length;
/** While one transaction, or message, waits for the disk, another one is written. */
const batches = { workers: 3, most: 20_000, sizeOf };
type Write = (em: EntityManager, calls: readonly AcceptedCall[]) => Promise<void>;
/** The error for which a call was not written. */
type Outcome = Error | undefined;
const gatherings = new WeakMap<object, Map<number | 'inbox', Batching<AcceptedCall, Outcome>>>();

/**
 * Writes the events of a call into the inbox of their pricing model, together with simultaneous calls; where the
 * process has a stream, into that. They are durable when it returns; within a transaction, when that is committed.
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
  // A transaction keeps an answer for its key, or is rolled back: the stream knows neither.
  if (em.isInTransaction()) return writeUsage(em, [accepted]);
  if (!usageStream()) return added(gatheringOf(em, 'inbox', writeUsage), accepted);
  await markStreamed(em, tenant);
  const partition = partitionOf(tenant);
  const append = (em: EntityManager, calls: readonly AcceptedCall[]) =>
    appendUsage(em, partition, calls);
  return added(gatheringOf(em, partition, append), accepted);
}

async function added(gathering: Batching<AcceptedCall, Outcome>, call: AcceptedCall) {
  const refusal = await gathering.add(call);
  if (refusal) throw refusal;
}

/** The calls that wait to be written together, of a connection. */
function gatheringOf(
  em: EntityManager,
  place: number | 'inbox',
  write: Write,
): Batching<AcceptedCall, Outcome> {
  const connection = em.getConnection();
  const ofConnection = gatherings.get(connection) ?? new Map();
  gatherings.set(connection, ofConnection);
  const known = ofConnection.get(place);
  if (known) return known;
  const own = em.fork();
  const gathering = new Batching<AcceptedCall, Outcome>(async (calls) => {
    try {
      await write(own, calls);
      return calls.map(() => undefined);
    } catch (error) {
      if (!isRefusedByMove(error)) throw error;
      return writeApart(own, calls, write);
    }
  }, batches);
  ofConnection.set(place, gathering);
  return gathering;
}

/** Calls of an organization that moves are refused without those of others. */
async function writeApart(em: EntityManager, calls: readonly AcceptedCall[], write: Write) {
  const refused = new Map<string, Outcome>();
  for (const [organizationId, own] of Map.groupBy(calls, ({ organizationId }) => organizationId)) {
    await write(em, own).catch((error: Error) => refused.set(organizationId, error));
  }
  return calls.map(({ organizationId }) => refused.get(organizationId));
}

/** Appends calls to the stream; those that are larger than its messages are written into the inbox at once. */
async function appendUsage(em: EntityManager, partition: number, calls: readonly AcceptedCall[]) {
  const large = (await usageStream()?.append(partition, calls)) ?? calls;
  if (large.length > 0) await writeUsage(em, large);
}

interface Part {
  readonly call: AcceptedCall;
  readonly slot: number;
  readonly owners: Set<number>;
  readonly events: UsageEventInput[];
}

/** The parts of a call, one for each slot that its events have. */
function partsOf(call: AcceptedCall): Part[] {
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

/** Writes calls into the inbox, in one statement. A call that waits there already is passed over. */
export async function writeUsage(em: EntityManager, calls: readonly AcceptedCall[]): Promise<void> {
  const parts = calls.flatMap(partsOf);
  await statement(
    em,
    'accepted usage',
    `insert into usage_event_inbox
       (slot, position, pricing_model_id, organization_id, livemode, accepted_at, origin, owners, count, events)
     select slot, position, pricing_model_id, organization_id, livemode, accepted_at, origin, owners::int[], count, events
     from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::bool[], $6::timestamptz[], $7::text[], $8::text[],
       $9::int[], string_to_array($10, chr(30)))
       as part (slot, position, pricing_model_id, organization_id, livemode, accepted_at, origin, owners, count, events)
     on conflict do nothing`,
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
