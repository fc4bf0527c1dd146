import type { Actor, Scope } from '#domain/kernel/session.ts';

/** The origin of an event, as its row records it: the request or job that caused it, and the actor. */
export interface Origin {
  readonly causeId: string | null;
  readonly actorType: Actor['type'] | null;
  readonly actorId: string | null;
}

/** The origin of the changes of a unit of work, for the columns of its events. */
export const originColumns = ({
  causeId,
  actor,
}: {
  causeId?: string | undefined;
  actor?: Actor | undefined;
}): Origin => ({
  causeId: causeId ?? null,
  actorType: actor?.type ?? null,
  actorId: actor?.id ?? null,
});

/**
 * The same as one text, `<type> <id> <cause>`. The functions of the database pass it on as their cause, and a trigger
 * on `event` (`split_origin`) splits it. Neither part contains a space.
 */
export const originText = ({ causeId = '', actor }: Pick<Scope, 'causeId' | 'actor'>): string =>
  `${actor?.type ?? 'system'} ${actor?.id ?? 'start'} ${causeId}`;
