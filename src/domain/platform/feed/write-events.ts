import type { EntityManager } from '@mikro-orm/postgresql';
import type { EventType } from '#domain/model/platform/event-types.ts';
import { arrayText } from '#engines/lockstep/array-text.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { causeRows, type Origin } from './origin.ts';

/** One event as it is written; times are instants. */
export interface NewEvent extends Origin {
  readonly id: string;
  readonly type: EventType;
  readonly objectType: string;
  readonly objectId: string;
  readonly objectVersion: number;
  readonly data: object;
  readonly previousAttributes: object | null;
  readonly customerId: string | null;
  readonly livemode: boolean;
  readonly organizationId: string;
  readonly pricingModelId: string;
  readonly occurredAt: Date;
}

/**
 * Adds events to the feed, as part of the transaction. It uses raw SQL, since the database merges the flushes of one
 * transaction into one row.
 */
export const writeEvents = (em: EntityManager, events: readonly NewEvent[]) =>
  statement(
    em,
    'write events',
    `with ${causesOfEvents('$2')} ${insertEvents('$1')}`,
    [JSON.stringify(events), causeRows(events)],
    { joins: true },
  );

/** The part of a statement that writes the causes of its events, given as JSON in a parameter, once each. */
export const causesOfEvents = (parameter: string) =>
  `causes as (
     insert into cause (id, livemode, organization_id, pricing_model_id, actor_type, actor_id, request_id, cron_run_id,
       subject_id, operation, idempotency_key, address)
     select id, livemode, "organizationId", "pricingModelId", "actorType", "actorId", "requestId", "cronRunId",
       "subjectId", operation, "idempotencyKey", address
     from jsonb_to_recordset(${parameter}::jsonb) as cause (id text, livemode boolean, "organizationId" text,
       "pricingModelId" text, "actorType" text, "actorId" text, "requestId" text, "cronRunId" text, "subjectId" text,
       operation jsonb, "idempotencyKey" text, address text)
     on conflict (id) do nothing)`;

const eventColumns = `id, type, object_type, object_id, object_version, data, previous_attributes, customer_id, livemode,
       organization_id, pricing_model_id, occurred_at, cause_id, actor_type, actor_id, cause`;
const givenColumns = `id, type, "objectType", "objectId", "objectVersion", data, "previousAttributes", "customerId", livemode,
       "organizationId", "pricingModelId", "occurredAt", "causeId", "actorType", "actorId", cause`;
const givenTypes = `id text, type text, "objectType" text, "objectId" text, "objectVersion" int, data jsonb,
       "previousAttributes" jsonb, "customerId" text, livemode boolean, "organizationId" text, "pricingModelId" text,
       "occurredAt" timestamptz, "causeId" text, "actorType" text, "actorId" text, cause text`;

/** The statement that adds events, given as JSON in a parameter, to the feed. */
export const insertEvents = (parameter: string) =>
  `insert into event as stored (${eventColumns})
     select ${givenColumns} from jsonb_to_recordset(${parameter}::jsonb) as change (${givenTypes})
     on conflict (transaction_id, object_id) where sequence is null do update
       set data = excluded.data, object_version = excluded.object_version,
         type = case when stored.type like '%.updated' then excluded.type else stored.type end,
         previous_attributes = case when jsonb_typeof(stored.previous_attributes) = 'object' then (
           select coalesce(jsonb_object_agg(name, was), '{}')
           from jsonb_each(excluded.previous_attributes || stored.previous_attributes) as earlier (name, was)
           where was is distinct from excluded.data -> name) else stored.previous_attributes end`;

/** The columns that differ among the events of `emitNumbered`, with their types as arrays. */
const ownColumns = [
  ['id', 'text'],
  ['object_id', 'text'],
  ['data', 'text'],
  ['customer_id', 'text'],
  ['occurred_at', 'timestamptz'],
  ['cause_id', 'text'],
  ['actor_type', 'text'],
  ['actor_id', 'text'],
  ['cause', 'text'],
] as const;

/**
 * The parts of a statement that add the first events of new objects of one type to one feed. They get their numbers as
 * they are written, unless an endpoint needs deliveries. Their transaction commits next: until then no other one numbers
 * events. Their parameters, from `first` on, are those of `numberedValues`: the database reads arrays of columns several
 * times faster than the same events as JSON.
 */
export function emitNumbered(
  first: number,
  [organizationId, pricingModelId, livemode]: readonly [string, string, string],
) {
  const [type, objectType] = [`$${first}`, `$${first + 1}`];
  const arrays = ownColumns.map(([, kind], place) => `$${first + 2 + place}::${kind}[]`);
  const names = ownColumns.map(([name]) => name).join(', ');
  return `numbers as materialized (
     select number_events(cardinality(${arrays[0]}), ${organizationId}, ${livemode}) as before),
   emitted as (
     insert into event (sequence, type, object_type, object_version, livemode, organization_id, pricing_model_id, ${names})
     select numbers.before + place, ${type}, ${objectType}, 1, ${livemode}, ${organizationId}, ${pricingModelId},
       ${names.replace(' data,', ' data::jsonb,')}
     from numbers cross join unnest(${arrays.join(', ')}) with ordinality as change (${names}, place))`;
}

/** The parameters of `emitNumbered`. */
export function numberedValues(events: readonly NewEvent[]): readonly unknown[] {
  const [first] = events;
  const arrays = [
    events.map(({ id }) => id),
    events.map(({ objectId }) => objectId),
    events.map(({ data }) => JSON.stringify(data)),
    events.map(({ customerId }) => customerId),
    events.map(({ occurredAt }) => occurredAt),
    events.map(({ causeId }) => causeId),
    events.map(({ actorType }) => actorType),
    events.map(({ actorId }) => actorId),
    events.map(({ cause }) => (typeof cause === 'string' ? cause : (cause?.id ?? null))),
  ];
  // As texts they do not decide the plan.
  return [first?.type, first?.objectType, ...arrays.map(arrayText)];
}
