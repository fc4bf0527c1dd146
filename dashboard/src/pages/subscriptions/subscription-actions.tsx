import type { ComponentType } from 'react';
import { PageButton } from '../../commands/command-button.tsx';
import { MoreActions } from '../../commands/more-actions.tsx';
import { GrantCreditsDialog } from '../usage/grant-credits-dialog.tsx';
import { AdjustDialog } from './changes/adjust-dialog.tsx';
import { CancelDialog } from './changes/cancel-dialog.tsx';
import { CommitDialog, EndCommitmentDialog } from './changes/commitment-dialogs.tsx';
import { CycleDialog } from './changes/cycle-dialog.tsx';
import {
  ApplyDiscountDialog,
  presentDiscount,
  RemoveDiscountDialog,
} from './changes/discount-dialogs.tsx';
import { UncancelDialog, UnscheduleDialog } from './changes/end-dialogs.tsx';
import { PauseDialog, ResumeDialog } from './changes/pause-dialogs.tsx';
import { PaymentDialog } from './changes/payment-dialog.tsx';
import { RenameDialog } from './changes/rename-dialog.tsx';
import { TrialDialog } from './changes/trial-dialog.tsx';
import { isEnded, type Subscription, type SubscriptionDialogProps } from './subscription.ts';

/** The commands of a subscription. */
export function SubscriptionActions({ subscription }: { readonly subscription: Subscription }) {
  const { status, isFreePlan, doNotCharge, renews, scheduledAdjustmentAt, commitment } =
    subscription;
  const isPaid = !isFreePlan && !doNotCharge;
  const isEnding = status === 'cancellation_scheduled';
  const isPaused = status === 'paused' || subscription.pauseScheduledAt !== null;
  if (isEnded(subscription)) return null;
  const shows = (Dialog: ComponentType<SubscriptionDialogProps>) => (onClose: () => void) => (
    <Dialog {...{ subscription, onClose }} />
  );
  return (
    <>
      {!isFreePlan && (
        <PageButton does="adjustSubscription" dialog={shows(AdjustDialog)}>
          Change plan
        </PageButton>
      )}
      <MoreActions
        actions={[
          [
            'Grant usage credits',
            'grantUsageCredits',
            (onClose) => <GrantCreditsDialog onClose={onClose} subscriptions={[subscription]} />,
          ],
          isPaid && ['Change the payment', 'updateSubscription', shows(PaymentDialog)],
          status === 'trialing' && [
            'Move the end of the trial',
            'updateSubscription',
            shows(TrialDialog),
          ],
          renews && ['Change the billing cycle', 'updateSubscription', shows(CycleDialog)],
          renews &&
            isPaid && [
              commitment ? 'Change the commitment' : 'Add a commitment',
              'setCommitment',
              shows(CommitDialog),
            ],
          commitment && ['End the commitment', 'endCommitment', shows(EndCommitmentDialog)],
          renews &&
            !doNotCharge &&
            status !== 'incomplete' && [
              'Apply a discount',
              'applyDiscount',
              shows(ApplyDiscountDialog),
            ],
          presentDiscount(subscription) && [
            'Remove the discount',
            'removeDiscount',
            shows(RemoveDiscountDialog),
          ],
          ['Rename', 'updateSubscription', shows(RenameDialog)],
          scheduledAdjustmentAt !== null && [
            'Cancel the scheduled change',
            'cancelScheduledAdjustment',
            shows(UnscheduleDialog),
          ],
          isPaused && [
            status === 'paused' ? 'Resume' : 'Cancel the pause',
            'resumeSubscription',
            shows(ResumeDialog),
          ],
          !isPaused &&
            renews &&
            !isFreePlan &&
            !isEnding && ['Pause', 'pauseSubscription', shows(PauseDialog)],
          isEnding
            ? ['Keep the subscription', 'uncancelSubscription', shows(UncancelDialog)]
            : !isFreePlan && [
                'Cancel',
                'cancelSubscription',
                shows(CancelDialog),
                { color: 'red' },
              ],
        ]}
      />
    </>
  );
}
