import type { SourceSubscription } from '../source/source.ts';
import { boundaryAt, type SourceEnd, type Timeline } from './ends.ts';
import type { StripeSubscription } from './shapes.ts';
import type { Tell } from './subscriptions.ts';

const behaviors = ['void', 'mark_uncollectible', 'keep_as_draft'];

interface Other extends SourceEnd {
  readonly isMetered: boolean;
}

/**
 * The pause of a subscription whose payments are not collected, or the reason why it is left out. Stripe bills again
 * from the first boundary after the pause on, so the pause ends with that boundary here.
 */
export function pauseOf(
  { pause_collection: pause }: StripeSubscription,
  times: Timeline,
  { isMetered, endsWithPeriod, periodCount, endsAt }: Other,
  { lose, note }: Tell,
): SourceSubscription['pause'] | string {
  if (!pause) return undefined;
  const { behavior, resumes_at: resumesAt } = pause;
  if (!behaviors.includes(behavior))
    return `has pause_collection with the behavior ${behavior}, which this import does not know`;
  // Nothing is billed before its end.
  if (endsWithPeriod) return undefined;
  if (periodCount !== undefined || endsAt)
    return 'pauses its collection and ends at a date: create it here by hand';
  if (isMetered)
    lose(
      'pause_collection is carried over for its items: usage in the pause is billed here after it',
    );
  if (behavior === 'keep_as_draft')
    lose('pause_collection keeps drafts of invoices there: none are written here in the pause');
  if (!resumesAt) {
    note('is paused here: from its resumption on, periods are counted anew');
    return {};
  }
  if (resumesAt <= times.next) return { resumesAt };
  const boundary = boundaryAt(times, resumesAt);
  if (boundary.getUTCDate() !== times.from.getUTCDate())
    lose(
      `pause_collection ends with the month here, and periods are counted from ${boundary.toISOString()} on`,
    );
  return { resumesAt: boundary };
}
