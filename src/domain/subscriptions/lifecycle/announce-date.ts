import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Announcement } from '#domain/model/subscriptions/announcement.ts';
import { lockSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** When a date of a subscription `s` is announced, by the settings `m` of its organization. */
interface Announced {
  /** The condition on the rows whose date is to be announced and was not yet. */
  readonly isDue: string;
  readonly date: string;
  readonly days: string;
}

/** A cycle of a year or longer: the customer may have forgotten the charge. */
const isYearly = `(s.interval = 'year' or (s.interval = 'month' and s.interval_count >= 12))`;

/** The dates that are announced once each. */
export const announcements: Readonly<Record<Announcement, Announced>> = {
  trial_ending: {
    isDue: `(s.status = 'trialing' or s.status = 'cancellation_scheduled' and s.cancel_scheduled_at > s.trial_end)
      and s.trial_end is not null and s.trial_end_announced is distinct from s.trial_end`,
    date: 's.trial_end',
    days: 'm.trial_ending_days',
  },
  renewal_upcoming: {
    isDue: `s.status in ('active', 'past_due', 'cancellation_scheduled') and ${isYearly} and s.renews and not s.is_free_plan and not s.do_not_charge
      and coalesce(s.cancel_scheduled_at > s.current_billing_period_end, true) and s.pause_scheduled_at is null and s.remaining_periods is distinct from 0
      and s.current_billing_period_end is not null
      and s.renewal_announced is distinct from s.current_billing_period_end`,
    date: 's.current_billing_period_end',
    days: 'm.renewal_days',
  },
};

/** The instant from which a date is announced. */
export const announcedFrom = ({ date, days }: Announced) =>
  `${date} - make_interval(hours => 24 * ${days})`;

/**
 * Announces a date of a subscription with one event, once for each date. One that is not to be announced any more is
 * left alone. Returns whether there was an event.
 */
export const announceDate = (
  session: Session,
  id: string,
  announcement: Announcement,
): Promise<boolean> =>
  command(session, async (session) => {
    const { session: atLock, subscription } = await lockSubscription(session, id);
    const { isDue } = announcements[announcement];
    const due = await statement(
      atLock.em,
      `announce ${announcement}`,
      `select 1 from subscription s where s.id = $1 and s.pricing_model_id = $2 and ${isDue}`,
      [id, atLock.pricingModelId],
    );
    if (due.length === 0) return false;
    subscription.announce(announcement);
    return true;
  });
