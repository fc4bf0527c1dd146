import { checksOf } from '#domain/kernel/columns.ts';
/** The checks of each row of a subscription by the database. */
export const subscriptionChecks = checksOf({
  subscription_renewal: `renews or num_nonnulls("interval", interval_count, billing_cycle_anchor_date, trial_end,
        current_billing_period_start, current_billing_period_end) = 0`,
  subscription_interval: `not renews or ("interval" is not null and interval_count > 0)`,
  subscription_trial: 'trial_end > start_date',
  subscription_paid_until:
    'paid_until is null or renews and not do_not_charge and trial_end is null and paid_until > start_date',
  subscription_adjustment: 'scheduled_adjustment is null or scheduled_adjustment_at is not null',
  subscription_adjustment_most: `scheduled_adjustment is null or jsonb_array_length(scheduled_adjustment->'items') <= 100`,
  subscription_days_until_due: `(collection_method = 'send_invoice') = (days_until_due is not null) and days_until_due >= 0`,
  subscription_remaining: 'remaining_periods >= 0',
  subscription_draft_window: 'draft_window_hours >= 0 and draft_window_hours <= 720',
  subscription_anchored: 'not anchored or billing_cycle_anchor_date is not null',
  subscription_bill_at: 'bill_at > 0',
  subscription_committed:
    'commitment is null or committed and renews and not is_free_plan and not do_not_charge',
  subscription_paused: `(status = 'paused') = (paused_at is not null) and num_nonnulls(paused_at, pause_scheduled_at) < 2
        and (resumes_at is null or num_nonnulls(paused_at, pause_scheduled_at) = 1)
        and num_nonnulls(pause_billing, pause_entitlements) = 2 * num_nonnulls(paused_at, pause_scheduled_at)
        and not (pause_billing = 'keeps' and pause_entitlements = 'on')`,
  subscription_unpaid: `num_nonnulls(unpaid_access, unpaid_at) in (0, 2) and (status <> 'unpaid' or unpaid_at is not null)
        and (unpaid_at is null or status in ('unpaid', 'cancellation_scheduled', 'paused'))`,
  subscription_cancellation_credit:
    'cancellation_credit is null or cancel_scheduled_at is not null',
  subscription_canceled: `(status = 'canceled') = (canceled_at is not null)`,
});
