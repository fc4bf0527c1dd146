/** The dates of a subscription that are announced some days before. */
export type Announcement = 'trial_ending' | 'renewal_upcoming';
