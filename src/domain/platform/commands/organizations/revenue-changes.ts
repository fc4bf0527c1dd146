import { eventTypes } from '#domain/model/platform/event-types.ts';
import type { FollowingSession } from '#domain/platform/feed/follow.ts';
import { throttled } from '#engines/live/throttled.ts';

const pauseMilliseconds = 1_000;

/** The events that can change the revenue totals. */
const types = eventTypes.filter((type) =>
  /^(payment|refund|invoice|subscription|subscription_item|customer|test_clock)\./.test(type),
);

/** Emits at once, and after events that can change the revenue totals, at most once a second. */
export const revenueChanges = async ({ follow }: Pick<FollowingSession, 'follow'>) =>
  throttled(await follow({ types }), pauseMilliseconds);
