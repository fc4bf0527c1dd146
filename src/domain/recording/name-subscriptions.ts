import type { Issue } from '#domain/kernel/errors.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import type { Session } from '#domain/kernel/session.ts';
import { grantsAccessSql } from '#domain/model/subscriptions/grants-access.ts';
import { catchUp } from '#domain/subscriptions/lifecycle/transition-subscription.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { readReferences, targetOfEvent } from './resolve-usage-events.ts';
import { usageEventId } from './usage-event-id.ts';
import type { UsageEventInput } from './usage-event-input.ts';

interface Candidate {
  readonly id: string;
  readonly isDue: boolean;
  /** The usage meters of its present credits. */
  readonly meterIds: readonly string[];
}

/** A customer that an event names, with its current subscriptions. */
interface NamedCustomer {
  readonly id: string;
  readonly externalId: string;
  readonly archived: boolean;
  readonly subscriptions: readonly Candidate[];
}

const isByCustomer = ({ subscriptionId, customerId, customerExternalId }: UsageEventInput) =>
  subscriptionId == null && (customerId ?? customerExternalId) != null;

/**
 * Finds the subscription of each event that names its customer only: the one that recorded the same event before,
 * else the customer's current one. Of several current ones it is the one with credits of the meter. The number of
 * statements does not depend on the number of events. An event without a subscription yields its problem. `onDue` is
 * called before due boundaries are crossed.
 */
export async function nameSubscriptions(
  session: Session,
  events: readonly UsageEventInput[],
  onDue: (subscriptionIds: readonly string[]) => Promise<void>,
): Promise<readonly (UsageEventInput | Issue)[]> {
  const open = events.filter(isByCustomer);
  if (open.length === 0) return events;
  const references = await readReferences(session, open);
  const idOf = (event: UsageEventInput) => {
    const target = targetOfEvent(references, event);
    return 'meter' in target ? usageEventId(target.meter.id, event.transactionId) : undefined;
  };
  const recorded = await recordedFor(
    session,
    open.flatMap((event) => idOf(event) ?? []),
  );
  const customers = await presentCustomers(session, open, onDue);

  return events.map((event) => {
    if (!isByCustomer(event)) return event;
    const field = event.customerId != null ? 'customerId' : 'customerExternalId';
    const customer = customers.find((one) =>
      field === 'customerId'
        ? one.id === event.customerId
        : one.externalId === event.customerExternalId && !one.archived,
    );
    if (!customer) return problem('NOT_FOUND', field, `Unknown customer ${event[field]}`);
    const known = recorded.get(idOf(event) ?? '');
    if (known?.customerId === customer.id)
      return { ...event, subscriptionId: known.subscriptionId };
    const target = targetOfEvent(references, event);
    const chosen = choose(customer, 'meter' in target ? target.meter.id : '');
    return 'message' in chosen
      ? problem(chosen.code, field, chosen.message)
      : { ...event, subscriptionId: chosen.id };
  });
}

const problem = (code: IssueCode, field: string, message: string): Issue => ({
  code,
  path: [field],
  message,
});

type Unchosen = Pick<Issue, 'code' | 'message'>;

/** The subscription for usage of a meter, or the reason why there is none. */
function choose({ archived, subscriptions }: NamedCustomer, meterId: string): Candidate | Unchosen {
  if (archived) return { code: 'ARCHIVED', message: 'is an archived customer' };
  const [first, second] = subscriptions;
  if (!first) {
    const message =
      'has no current subscription: subscribe the customer first, or give the subscriptionId of one that is paused or unpaid';
    return { code: 'INVALID_STATE', message };
  }
  if (!second) return first;
  const [only, another] = subscriptions.filter(({ meterIds }) => meterIds.includes(meterId));
  if (only && !another) return only;
  const ids = subscriptions.map(({ id }) => id).join(', ');
  return {
    code: 'INVALID',
    message: `has several current subscriptions (${ids}): give subscriptionId`,
  };
}

/**
 * The customers of some events with their current subscriptions, after all due boundaries. Nothing is locked here: a
 * boundary only decides which subscription is current, and the lock before the recording checks its boundaries again.
 */
async function presentCustomers(
  session: Session,
  events: readonly UsageEventInput[],
  onDue: (subscriptionIds: readonly string[]) => Promise<void>,
) {
  const customers = await readCustomers(session, events);
  const due = customers.flatMap(({ subscriptions }) => subscriptions.filter(({ isDue }) => isDue));
  if (due.length === 0) return customers;
  await onDue(due.map(({ id }) => id));
  for (const { id } of due) await catchUp(session, id);
  return readCustomers(session, events);
}

const given = (events: readonly UsageEventInput[], name: 'customerId' | 'customerExternalId') => [
  ...new Set(events.flatMap((event) => event[name] ?? [])),
];

function readCustomers(
  { em, now, pricingModelId }: Session,
  events: readonly UsageEventInput[],
): Promise<NamedCustomer[]> {
  return statement<NamedCustomer>(
    em,
    'customers of usage',
    `select c.id, c.external_id as "externalId", c.archived,
       coalesce(json_agg(json_build_object('id', s.id,
         'isDue', coalesce(s.transition_due_at <= coalesce(t.frozen_time, $4), false),
         'meterIds', array(
           select distinct f.usage_meter_id from subscription_item_feature f
           where f.subscription_id = s.id and f.usage_meter_id is not null
             and (f.expired_at is null or f.expired_at > coalesce(t.frozen_time, $4))))
         order by s.created_at, s.id) filter (where s.id is not null), '[]') as subscriptions
     from customer c
     left join subscription s on s.customer_id = c.id and ${grantsAccessSql('s')}
     left join test_clock t on t.id = s.test_clock_id
     where c.pricing_model_id = $1
       and (c.id = any($2::text[]) or (c.external_id = any($3::text[]) and not c.archived))
     group by c.id`,
    [pricingModelId, given(events, 'customerId'), given(events, 'customerExternalId'), now],
  );
}

/** Events that have been recorded already, by their ids: a repeat belongs to the same subscription. */
async function recordedFor({ em, pricingModelId }: Session, ids: readonly string[]) {
  const rows = await statement<{ id: string; customerId: string; subscriptionId: string }>(
    em,
    'recorded usage',
    `select e.id, e.customer_id as "customerId", e.subscription_id as "subscriptionId"
     from usage_event_key k join usage_event e on e.pricing_model_id = $1
       and e.created_at = k.created_at and e.id = k.id and e.recorded_at = k.recorded_at
     where k.id = any($2::text[])`,
    [pricingModelId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
