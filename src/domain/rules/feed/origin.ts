import type { Actor, Scope } from '#domain/kernel/session.ts';

/** Where an event comes from, as its row says: the request or job that caused it, and who acted. */
export interface Origin {
  readonly causeId: string | null;
  readonly actorType: Actor['type'] | null;
  readonly actorId: string | null;
}

/** The origin of what a unit of work changes, for the columns of its events. */
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
 * The same as one text, `<type> <id> <cause>`, which the functions of the database hand through as their
 * cause; a trigger on `event` (`split_origin`) takes it apart. Neither part contains a space.
 */
export const originText = ({ causeId = '', actor }: Pick<Scope, 'causeId' | 'actor'>): string =>
  `${actor?.type ?? 'system'} ${actor?.id ?? 'start'} ${causeId}`;
