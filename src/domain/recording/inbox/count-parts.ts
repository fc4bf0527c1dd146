import { DomainError, type Issue } from '#domain/kernel/errors.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { UnitCause } from '#domain/kernel/unit-cause.ts';
import { UsageRefusal } from '#domain/model/recording/usage-refusal.ts';
import { recordCalls } from '#domain/recording/record-calls.ts';
import type { Call } from '#domain/recording/usage-call.ts';
import type { UsageEventInput } from '#domain/recording/usage-event-input.ts';
import { type InboxPart, lockParts, removeParts } from './inbox-part.ts';

/** Another transaction has counted some of the parts. */
class Gone extends Error {}

/** A boundary lies between the parts: they cannot share one instant. */
class Apart extends Error {}

const writer = { type: 'system', id: 'usage-inbox' } as const;

/** A part, without the events that were refused. */
interface Attempt {
  readonly part: InboxPart;
  readonly events: readonly UsageEventInput[];
  readonly refused: readonly RefusedEvent[];
}

interface RefusedEvent {
  readonly event: UsageEventInput;
  readonly issues: readonly Issue[];
}

/**
 * Counts parts of the inbox: their events are recorded, and the parts removed, in one transaction. An event that is
 * refused becomes a part of a refusal, and delays no other. Parts that another transaction has counted are passed
 * over. `crossed` is called with the subscriptions of a part whose boundary is due, before it is crossed. Errors: the
 * reason why a part cannot be counted now; it waits on.
 */
export async function countParts(
  session: Session,
  parts: readonly InboxPart[],
  crossed: (session: Session, subscriptionIds: readonly string[], part: InboxPart) => Promise<void>,
): Promise<void> {
  const attempt = (attempts: readonly Attempt[]): Promise<void> =>
    tryOnce(session, attempts, crossed);
  const waiting: (readonly Attempt[])[] = [
    parts.map((part) => ({ part, events: part.events, refused: [] })),
  ];
  for (let attempts = waiting.pop(); attempts; attempts = waiting.pop()) {
    if (attempts.length === 0) continue;
    try {
      await attempt(attempts);
    } catch (error) {
      const [only, another] = attempts;
      if (another) {
        if (!(error instanceof Gone || error instanceof Apart || error instanceof DomainError)) {
          throw error;
        }
        const half = attempts.length >> 1;
        waiting.push(attempts.slice(half), attempts.slice(0, half));
      } else if (only && !(error instanceof Gone)) {
        waiting.push([withoutRefused(only, error)]);
      }
    }
  }
}

async function tryOnce(
  session: Session,
  attempts: readonly Attempt[],
  crossed: Parameters<typeof countParts>[2],
): Promise<void> {
  const parts = attempts.map(({ part }) => part);
  const [first] = parts as [InboxPart];
  const own = sessionOf(session, parts);
  const outcomes = await recordCalls(own, attempts.map(callOf), {
    async onDue(subscriptionIds) {
      if (parts.length > 1) throw new Apart();
      await crossed(own, subscriptionIds, first);
    },
    async within(session, write) {
      if (!(await lockParts(session.em, session, parts))) throw new Gone();
      const outcomes = await write();
      const counted = attempts.filter((_, place) => !(outcomes[place] instanceof Error));
      for (const { part, refused } of counted) {
        if (refused.length > 0) session.em.persist(usageRefusal(session, part, refused));
      }
      await removeParts(
        session.em,
        session,
        counted.map(({ part }) => part),
      );
      return outcomes;
    },
  });
  const errors = outcomes.filter((outcome) => outcome instanceof Error);
  if (errors.length === 0) return;
  if (attempts.length === 1) throw errors[0];
  for (const [place, outcome] of outcomes.entries()) {
    const one = attempts[place] as Attempt;
    if (outcome instanceof Error) await countOne(session, withoutRefused(one, outcome), crossed);
  }
}

async function countOne(
  session: Session,
  attempt: Attempt,
  crossed: Parameters<typeof countParts>[2],
): Promise<void> {
  try {
    await tryOnce(session, [attempt], crossed);
  } catch (error) {
    if (!(error instanceof Gone)) await countOne(session, withoutRefused(attempt, error), crossed);
  }
}

/** The rest of a part, after a refusal that names its events. Errors: the refusal, if it names none. */
function withoutRefused({ part, events, refused }: Attempt, error: unknown): Attempt {
  const issues = error instanceof DomainError ? error.issues : [];
  const byPlace = Map.groupBy(issues, ({ path: [place] }) => place);
  const isNamed = (_: unknown, place: number) => byPlace.has(place);
  const named = events.filter(isNamed);
  if (named.length === 0) throw error;
  return {
    part,
    events: events.filter((event, place) => !isNamed(event, place)),
    refused: [
      ...refused,
      ...events.flatMap((event, place) => {
        const own = byPlace.get(place);
        return own ? { event, issues: own.map(ofEvent) } : [];
      }),
    ],
  };
}

const ofEvent = (issue: Issue): Issue => ({ ...issue, path: issue.path.slice(1) });

/** The instant of a part is that of its acceptance; parts between which no boundary lies share the last one. */
function sessionOf({ em, dryRun, ...session }: Session, parts: readonly InboxPart[]): Session {
  const { organizationId, livemode, pricingModelId } = session;
  const now = new Date(Math.max(...parts.map(({ acceptedAt }) => acceptedAt.getTime())));
  const scope = { organizationId, livemode, pricingModelId, keyType: 'secret' as const, now };
  return openSession(em, { ...scope, actor: writer, ...(dryRun && { dryRun }) });
}

function callOf({ part: { origin, acceptedAt }, events }: Attempt): Call {
  return {
    events,
    pathOf: (index) => [index],
    isBulk: false,
    acceptedAt,
    causeId: origin.causeId ?? undefined,
    actor: origin.actor,
    cause: UnitCause.stored(origin.cause),
  };
}

const usageRefusal = ({ em }: Session, part: InboxPart, refused: readonly RefusedEvent[]) =>
  em.create(UsageRefusal, {
    acceptedAt: part.acceptedAt,
    acceptanceId: part.position,
    count: refused.length,
    events: refused.map(({ event, issues }) => ({
      event: JSON.parse(JSON.stringify(event)),
      issues: issues.map(({ code, path, message }) => ({ code, path, message })),
    })),
  });
