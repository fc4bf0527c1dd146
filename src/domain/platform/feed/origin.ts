import type { Actor, Scope } from '#domain/kernel/session.ts';
import type { UnitCause } from '#domain/kernel/unit-cause.ts';

/** The origin of an event, as its row records it: the request or job that caused it, and the actor. */
export interface Origin {
  readonly causeId: string | null;
  readonly actorType: Actor['type'] | null;
  readonly actorId: string | null;
  /** The cause, whose row is written with the event and whose JSON is its id; or the id of a cause without a row. */
  readonly cause: UnitCause | string | null;
}

/** The origin of the changes of a unit of work, for the columns of its events. */
export const originColumns = ({
  causeId,
  actor,
  cause,
}: {
  causeId?: string | undefined;
  actor?: Actor | undefined;
  cause?: UnitCause | string | undefined;
}): Origin => ({
  causeId: causeId ?? null,
  actorType: actor?.type ?? null,
  actorId: actor?.id ?? null,
  cause: cause ?? null,
});

/**
 * The same as one text, `<type> <id> <request or job> <cause as JSON>`. The functions of the database pass it on as
 * their cause, and a trigger on `event` (`split_origin`) splits it. No part before the JSON contains a space.
 */
export const originText = ({
  causeId = '',
  actor,
  cause,
}: Pick<Scope, 'causeId' | 'actor' | 'cause'>): string =>
  `${actor?.type ?? 'system'} ${actor?.id ?? 'start'} ${causeId} ${cause ? JSON.stringify(cause.row()) : ''}`;

/** The rows of the causes of some events, as a parameter of `insertEvents`. */
export const causeRows = (events: readonly Pick<Origin, 'cause'>[]): string =>
  JSON.stringify(
    [...new Set(events.map(({ cause }) => cause))].flatMap((one) =>
      typeof one === 'object' && one ? one.row() : [],
    ),
  );
