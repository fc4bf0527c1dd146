import type { EntityManager } from '@mikro-orm/postgresql';
import { isServed } from '#domain/kernel/absent-organizations.ts';
import { randomText } from '#domain/kernel/ids.ts';
import type { Actor } from '#domain/kernel/session.ts';
import type { Event } from '#domain/model/platform/event.ts';

/** Longer than any attempt lasts; after that its process counts as crashed. */
export const claimMilliseconds = 30_000;
/** How many concurrent requests an endpoint gets: a failing one is only probed. */
const slots = { healthy: 8, failing: 1 };
const candidatesEach = 50;

/** A delivery that is to be attempted now, with its endpoint and event. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly claim: string;
  readonly webhookId: string;
  readonly attemptCount: number;
  readonly url: string;
  readonly livemode: boolean;
  readonly organizationId: string;
  readonly pricingModelId: string;
  /** The valid signing secrets, encrypted, the newest first. */
  readonly secrets: readonly string[];
  readonly event: Pick<
    Event,
    'id' | 'type' | 'objectType' | 'objectId' | 'data' | 'previousAttributes' | 'pricingModelId'
  > & {
    sequence: number;
    occurredAt: string;
    customerId: string | null;
    customerExternalId: string | null;
    actor: Actor | null;
  };
}

/** The deliveries of a sweep: first attempts, or retries. */
export type DeliveryKind = 'first' | 'retry';

export interface Claims {
  readonly claimed: readonly ClaimedDelivery[];
  /** Whether the rows found may hide others, so that another sweep makes sense. */
  readonly more: boolean;
}

/**
 * Claims due deliveries, of every tenant, for this process; other processes skip claimed ones. Of one object and
 * endpoint only the earliest is claimed. Those behind it wait without a due time until it is done, so that no sweep
 * reads them again. Every endpoint has its own few slots, so one that hangs delays no other.
 */
export async function claimDeliveries(
  em: EntityManager,
  now: Date,
  kind?: DeliveryKind,
): Promise<Claims> {
  const claim = randomText(16);
  const until = new Date(now.getTime() + claimMilliseconds);
  const tried = { first: 'and d.attempt_count = 0', retry: 'and d.attempt_count > 0' };
  const rows = await em.execute<{ delivery: ClaimedDelivery | null }[]>(
    `with recursive waiting as (
       -- Only endpoints with deliveries that have a due time, each by one look into the index.
       (select d.webhook_id from webhook_delivery d where d.status = 'pending' and d.next_attempt_at is not null
        order by d.webhook_id limit 1)
       union all
       select next.webhook_id from waiting cross join lateral (
         select d.webhook_id from webhook_delivery d
         where d.status = 'pending' and d.next_attempt_at is not null and d.webhook_id > waiting.webhook_id
         order by d.webhook_id limit 1) as next
     ), endpoint as materialized (
       select w.id, case when w.failing_since is null then ${slots.healthy} else ${slots.failing} end - (
         select count(*) from webhook_delivery claimed
         where claimed.webhook_id = w.id and claimed.claimed_until > ?) as slots
       from waiting join webhook w on w.id = waiting.webhook_id where w.active and ${isServed('w.organization_id')}
     ), candidate as materialized (
       select due.* from endpoint cross join lateral (
         select d.id, d.webhook_id, d.object_id, d.sequence from webhook_delivery d
         where d.webhook_id = endpoint.id and d.status = 'pending' and d.next_attempt_at <= greatest(?, now())
           and (d.claimed_until is null or d.claimed_until <= ?) ${kind ? tried[kind] : ''}
         order by d.next_attempt_at, d.sequence limit ${candidatesEach}
         for update skip locked) due
       where endpoint.slots > 0
     ), blocked as materialized (
       -- The earlier one is locked while this one is put aside, so that its end cannot be missed.
       select candidate.id from candidate cross join lateral (
         select 1 from webhook_delivery earlier
         where earlier.webhook_id = candidate.webhook_id and earlier.object_id = candidate.object_id
           and earlier.status = 'pending' and earlier.sequence < candidate.sequence
         order by earlier.sequence limit 1 for update skip locked) earliest
     ), aside as (
       update webhook_delivery set next_attempt_at = null where id = any(array(select id from blocked)) returning id
     ), ready as (
       select candidate.id, candidate.webhook_id,
         row_number() over (partition by candidate.webhook_id order by candidate.sequence) as place
       from candidate where not exists (
         select 1 from webhook_delivery earlier
         where earlier.webhook_id = candidate.webhook_id and earlier.object_id = candidate.object_id
           and earlier.status = 'pending' and earlier.sequence < candidate.sequence)
     ), claimed as (
       update webhook_delivery d set claim = ?, claimed_until = ?
       from ready join endpoint on endpoint.id = ready.webhook_id
       where d.id = ready.id and ready.place <= endpoint.slots
       returning d.*
     )
     select jsonb_build_object('id', d.id, 'claim', d.claim, 'webhookId', d.webhook_id,
       'attemptCount', d.attempt_count, 'url', w.url, 'livemode', d.livemode,
       'organizationId', d.organization_id, 'pricingModelId', d.pricing_model_id,
       'secrets', to_jsonb(array_remove(array[w.secret,
         case when w.previous_secret_until > ? then w.previous_secret end], null)),
       'event', jsonb_build_object('id', e.id, 'type', e.type, 'sequence', e.sequence,
         'objectType', e.object_type, 'objectId', e.object_id, 'data', e.data,
         'previousAttributes', e.previous_attributes, 'pricingModelId', e.pricing_model_id,
         'occurredAt', e.occurred_at, 'customerId', e.customer_id, 'customerExternalId', c.external_id,
         'actor', case when e.actor_type is not null
           then jsonb_build_object('type', e.actor_type, 'id', e.actor_id) end)) as delivery
     from claimed d join webhook w on w.id = d.webhook_id join event e on e.id = d.event_id
       left join customer c on c.id = e.customer_id
     union all select null from aside`,
    [now, now, now, claim, until, now],
  );
  const claimed = rows.flatMap(({ delivery }) => delivery ?? []);
  return { claimed, more: rows.length > 0 };
}
