import { currentStatuses } from './subscription-statuses.ts';

/** The condition of a list for subscriptions that grant access. `Subscription.current` is the same for one. */
export const grantsAccess = {
  $or: [
    { status: { $in: [...currentStatuses] } },
    { status: 'paused' as const, pauseEntitlements: 'on' as const },
  ],
  $and: [{ $or: [{ unpaidAccess: null }, { unpaidAccess: { $ne: 'none' as const } }] }],
};

/** The same in SQL, for a subscription by its alias. */
export const grantsAccessSql = (alias: string) =>
  `((${alias}.status in (${currentStatuses.map((status) => `'${status}'`).join(', ')})
    or ${alias}.status = 'paused' and ${alias}.pause_entitlements = 'on') and ${alias}.unpaid_access is distinct from 'none')`;
