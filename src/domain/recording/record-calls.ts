import { onlyCommand } from '#domain/kernel/command.ts';
import { DomainError, invalidInput } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { lockWatches } from '#domain/metering/alerts/lock-watches.ts';
import { writeLedgers } from '#domain/metering/credits/write-ledgers.ts';
import { afterEnd, billingPeriodIdOf } from '#domain/metering/ledger/ledger.ts';
import {
  ledgerStatements,
  lockedLedgers,
  lockLedgers,
} from '#domain/metering/ledger/lock-ledgers.ts';
import { newUsageEvent, type Properties, UsageEvent } from '#domain/model/recording/usage-event.ts';
import { catchUp } from '#domain/subscriptions/lifecycle/transition-subscription.ts';
import { Slices } from '#engines/lockstep/slices.ts';
import { countUsage } from './count-usage.ts';
import { eventsOfUsage } from './events-of-usage.ts';
import { firstEvents } from './first-events.ts';
import { insertUsageEvents } from './insert-usage-events.ts';
import { lockUsageSubscriptions } from './lock-usage-subscriptions.ts';
import { nameSubscriptions } from './name-subscriptions.ts';
import { refuseBeyondLimits } from './refuse-beyond-limits.ts';
import { dearEvents, refuseOthers, refuseUncountable } from './refuse-usage.ts';
import { orderInPlace } from './replace-in-order.ts';
import { type ResolvedEvent, readReferences, resolver } from './resolve-usage-events.ts';
import type { Call, LockedUse, Row } from './usage-call.ts';
import { usageEventId } from './usage-event-id.ts';
import { usageKinds } from './usage-kind.ts';
import { wantedBy, wantedEarly, watchedIn } from './wanted-ledgers.ts';

/** The result of each event of a call, in its order. */
export interface Recorded {
  readonly events: readonly UsageEvent[];
  /** Whether the event at this index had been recorded before, in another call or in this one. */
  readonly repeated: readonly boolean[];
}

/** Additions of a caller to a recording. */
export interface Around {
  /** Runs in the transaction of the recording, which `write` does. */
  readonly within: (session: Session, write: () => Promise<Outcomes>) => Promise<Outcomes>;
  /** Is called with the subscriptions whose boundary is due, before it is crossed. */
  readonly onDue: (subscriptionIds: readonly string[]) => Promise<void>;
}

type Outcomes = (Recorded | DomainError)[];

const usual: Around = { within: (_session, write) => write(), onDue: async () => {} };

/**
 * Records several calls in one transaction. An invalid or refused call gets its own error. It throws when the calls
 * cannot be recorded together. The number of statements does not depend on the number of calls and events.
 */
export async function recordCalls(
  session: Session,
  calls: readonly Call[],
  around: Partial<Around> = {},
): Promise<Outcomes> {
  const { within, onDue } = { ...usual, ...around };
  const named = await nameSubscriptions(
    session,
    calls.flatMap(({ events }) => events),
    onDue,
  );
  const references = await readReferences(
    session,
    named.flatMap((event) => ('message' in event ? [] : event)),
  );
  let place = 0;
  const resolved = calls.map(({ events, pathOf, isBulk, replaces }) => {
    const resolve = resolver(references, isBulk, replaces !== undefined);
    const own = named.slice(place, place + events.length);
    place += events.length;
    const found = own.map((event) => ('message' in event ? event : resolve(event)));
    const issues = found.flatMap((event, index) =>
      'message' in event ? [{ ...event, path: [...pathOf(index), ...event.path] }] : [],
    );
    return issues.length > 0
      ? new DomainError('BAD_REQUEST', invalidInput, { issues })
      : (found as ResolvedEvent[]);
  });
  const sound = resolved.filter((events) => !(events instanceof DomainError));
  if (sound.flat().length === 0) {
    const outcomes = resolved.map((events) =>
      events instanceof DomainError ? events : { events: [], repeated: [] },
    );
    return onlyCommand(session, (session) => within(session, async () => outcomes));
  }
  // The form of `lockCaughtUp` for many subscriptions at once: it takes shared locks, so that recordings do not wait for
  // each other, and checks under them whether a boundary has become due.
  let due = [...references.subscriptions.values()].flatMap(({ id, isDue }) => (isDue ? id : []));
  const isAlone = !session.em.isInTransaction();
  const end = { isLast: isAlone, commits: isAlone && !around.within && !session.dryRun };
  for (let attempt = 1; ; attempt++) {
    if (due.length > 0) await onDue(due);
    for (const id of due) await catchUp(session, id);
    try {
      return await onlyCommand(session, (session) =>
        within(session, () => write(session, calls, resolved, end)),
      );
    } catch (error) {
      if (error instanceof BoundaryPassed && attempt < attempts) due = error.subscriptionIds;
      else if (calls.length === 1 && error instanceof DomainError) return [error];
      else throw error;
    }
  }
}

const attempts = 10;

/** A clock has advanced before the lock on the subscriptions: their boundaries must be crossed first. */
class BoundaryPassed extends DomainError {
  readonly subscriptionIds: string[];
  constructor(subscriptionIds: string[]) {
    const of = subscriptionIds.join(', ');
    super(
      'CONFLICT',
      `The test clock of ${of} advances while usage is recorded: report the usage again`,
      { reason: 'IN_PROGRESS' },
    );
    this.subscriptionIds = subscriptionIds;
  }
}

/** How the transaction of a recording ends. */
interface End {
  /** Whether the commit follows the ledgers. */
  readonly isLast: boolean;
  /** Whether nothing runs between the two. */
  readonly commits: boolean;
}

async function write(
  session: Session,
  calls: readonly Call[],
  resolved: readonly (ResolvedEvent[] | DomainError)[],
  { isLast, commits }: End,
): Promise<Outcomes> {
  const sound = resolved.map((events) => (events instanceof DomainError ? [] : events));
  const locked = await lockUsageSubscriptions(
    session,
    sound.flat().map(({ subscription, input }) => ({
      subscriptionId: subscription.id,
      testClockId: subscription.testClockId,
      usageDate: input.usageDate?.getTime(),
    })),
  );
  const due = [...locked].flatMap(([id, { isDue }]) => (isDue ? id : []));
  if (due.length > 0) throw new BoundaryPassed(due);
  const { livemode, organizationId, pricingModelId } = session;
  const tenant = { livemode, organizationId, pricingModelId };
  const slices = new Slices();
  const rows: Row[][] = sound.map(() => []);
  const kindOf = usageKinds();
  for (const [call, events] of sound.entries()) {
    const { firstRecordedAt, replaces, acceptedAt, pathOf } = calls[call] as Call;
    const of = { tenant, kindOf, call, firstRecordedAt, replaces, acceptedAt, pathOf };
    for (const [index, event] of events.entries()) {
      rows[call]?.push(rowOf(event, locked, of, index));
      if (slices.isOver) await slices.turn();
    }
  }
  const all = rows.flat();
  const early = wantedEarly(all, locked);
  const { claimed, further } = await insertUsageEvents(
    session,
    all,
    early.length > 0 ? ledgerStatements(session, early) : [],
  );
  const first = await firstEvents(session, all, claimed);
  refuseOthers(all, first, calls);

  const fresh = [...claimed.values()];
  if (fresh.length > 0) {
    await orderInPlace(session, fresh);
    await lockWatches(session, watchedIn(locked));
    const wanted = wantedBy(fresh, locked);
    const ledgers = lockedLedgers(wanted, further) ?? (await lockLedgers(session, wanted));
    const hours = await countUsage(session, ledgers, fresh);
    const events = eventsOfUsage(session, calls, fresh);
    const dear = dearEvents(ledgers, fresh);
    const parts = { hours, events, isLast, commits: commits && dear.length === 0 };
    const measures = await writeLedgers(session, [...ledgers.values()], parts);
    refuseBeyondLimits(measures, fresh, calls);
    await refuseUncountable(session, dear, calls);
  }
  return rows.map((events, call) => {
    const refused = resolved[call];
    if (refused instanceof DomainError) return refused;
    return {
      events: events.map(({ event }) => first.get(event.id) as UsageEvent),
      repeated: events.map((row) => claimed.get(row.event.id) !== row),
    };
  });
}

/** The first paid subscription of a customer has moved its free one to another currency before the lock. */
const currencyChanged = (id: string) =>
  new DomainError(
    'CONFLICT',
    `The currency of ${id} changes while usage is recorded: report the usage again`,
    { reason: 'IN_PROGRESS' },
  );

/** How far the clock of a sender may be ahead. */
const mostAheadMilliseconds = 5 * 60_000;

/** Errors: BAD_REQUEST for a time of use that has not come yet by the clock of the customer. */
function refuseAhead(usageDate: Date, now: Date, path: readonly (string | number)[]) {
  if (usageDate.getTime() <= now.getTime() + mostAheadMilliseconds) return;
  const message = `is ahead of ${now.toISOString()}, the present of the customer, by more than 5 minutes: report usage when it has happened`;
  const issues = [{ code: 'OUT_OF_RANGE', path: [...path], message }] as const;
  throw new DomainError('BAD_REQUEST', invalidInput, { issues });
}

interface Of extends Pick<Row, 'call' | 'replaces'>, Pick<Call, 'pathOf'> {
  readonly firstRecordedAt: Date | undefined;
  readonly acceptedAt: Date | undefined;
  readonly tenant: Pick<Session, 'livemode' | 'organizationId' | 'pricingModelId'>;
  readonly kindOf: ReturnType<typeof usageKinds>;
}

function rowOf(
  resolved: ResolvedEvent,
  locked: ReadonlyMap<string, LockedUse>,
  { tenant, kindOf, call, firstRecordedAt, replaces, acceptedAt, pathOf }: Of,
  index: number,
): Row {
  const { input, subscription, meter, priceId } = resolved;
  const it = locked.get(subscription.id);
  if (!it) throw new DomainError('NOT_FOUND', `Subscription ${subscription.id} not found`);
  if (it.currency !== subscription.currency) throw currencyChanged(subscription.id);
  const { now, periodAt } = it;
  const usageDate = input.usageDate ?? (subscription.testClockId ? now : (acceptedAt ?? now));
  if (input.usageDate)
    refuseAhead(input.usageDate, subscription.testClockId ? now : (acceptedAt ?? now), [
      ...pathOf(index),
      'usageDate',
    ]);
  const period = replaces?.period ?? periodAt(usageDate.getTime());
  const event = newUsageEvent({
    __proto__: UsageEvent.prototype,
    ...tenant,
    id: usageEventId(meter.id, input.transactionId),
    createdAt: now,
    updatedAt: now,
    customerId: subscription.customerId,
    subscriptionId: subscription.id,
    usageMeterId: meter.id,
    priceId,
    billingPeriodId: billingPeriodIdOf(period),
    afterEnd: period === afterEnd,
    amount: input.amount,
    usageDate,
    transactionId: input.transactionId,
    properties: (input.properties as Properties | undefined) ?? null,
    voidedAt: null,
    voidReason: null,
    replacedById: null,
    firstRecordedAt: firstRecordedAt ?? null,
  });
  const kind = kindOf(subscription.id, meter.id, period.id, priceId);
  return { event, resolved, period, kind, call, index, replaces };
}
