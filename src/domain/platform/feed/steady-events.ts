import { DomainError } from '#domain/kernel/errors.ts';
import type { Event } from '#domain/model/platform/event.ts';
import type { EventFilter, FollowingSession } from './follow.ts';

/** Matches no event. */
const nothing: EventFilter = { objectId: '' };

/**
 * The events after a sequence, for a reader of any speed: where too many wait, they are read from the table again.
 * Ends with the credential, also while the reader does not read. Errors: those of the feed, but not that of a slow
 * reader.
 */
export async function steadyEvents(
  session: FollowingSession,
  filter: EventFilter,
  after: number,
): Promise<AsyncIterator<Event>> {
  let taken = after;
  let hasLeft = false;
  let failure: { readonly error: unknown } | undefined;
  let events = await session.follow(filter, taken);
  // A follower that is too slow is forgotten by the feed, so another one notices the end of the credential.
  const credential = await session.follow(nothing);
  credential.next().then(
    () => leave(),
    (error) => {
      failure = { error };
      return leave();
    },
  );

  async function leave() {
    hasLeft = true;
    await events.return?.();
    await credential.return?.();
  }

  return {
    async next() {
      for (;;) {
        try {
          const result = await events.next();
          if (failure) throw failure.error;
          if (!result.done) taken = result.value.sequence ?? taken;
          return result;
        } catch (error) {
          if (failure || hasLeft || !isTooSlow(error)) throw failure?.error ?? error;
          events = await session.follow(filter, taken);
          // It may have been left meanwhile.
          if (hasLeft) await events.return?.();
        }
      }
    },
    async return() {
      await leave();
      return { done: true, value: undefined };
    },
  };
}

const isTooSlow = (error: unknown) =>
  error instanceof DomainError && error.code === 'SERVICE_UNAVAILABLE';
