import type { OneSubscriptionQuery } from './subscription.generated.ts';

/** A subscription as its page reads it. */
export type Subscription = NonNullable<OneSubscriptionQuery['subscription']>;

/** A dialog about a subscription. */
export interface SubscriptionDialogProps {
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

/** Whether a subscription can no longer change. */
export const isEnded = ({ status }: Pick<Subscription, 'status'>) =>
  ['canceled', 'incomplete_expired'].includes(status);
