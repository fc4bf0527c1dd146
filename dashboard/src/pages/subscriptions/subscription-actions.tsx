import type { ComponentType } from 'react';
import { PageButton } from '../../commands/command-button.tsx';
import { confirmItem } from '../../commands/confirm.tsx';
import { MoreActions } from '../../commands/more-actions.tsx';
import { dayText } from '../../parts/texts/days.ts';
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
import { PauseDialog, ResumeDialog } from './changes/pause-dialogs.tsx';
import { PaymentDialog } from './changes/payment-dialog.tsx';
import { RenameDialog } from './changes/rename-dialog.tsx';
import { TrialDialog } from './changes/trial-dialog.tsx';
import {
  CancelScheduledAdjustmentDocument,
  UncancelSubscriptionDocument,
} from './subscription.generated.ts';
import { isEnded, type Subscription, type SubscriptionDialogProps } from './subscription.ts';

const commands = {
  unschedule: {
    does: 'cancelScheduledAdjustment',
    document: CancelScheduledAdjustmentDocument,
    title: 'Cancel the scheduled change',
    label: 'Cancel the change',
    opener: 'Cancel the scheduled change',
    done: 'The scheduled change is canceled',
  },
  uncancel: {
    does: 'uncancelSubscription',
    document: UncancelSubscriptionDocument,
    title: 'Keep the subscription',
    label: 'Keep it',
    opener: 'Keep the subscription',
    done: 'The subscription renews again',
  },
} as const;

/** The commands of a subscription. */
export function SubscriptionActions({ subscription }: { readonly subscription: Subscription }) {
  const { status, isFreePlan, doNotCharge, renews, commitment } = subscription;
  const { scheduledAdjustmentAt, cancelScheduledAt } = subscription;
  const of = { id: subscription.id };
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
          scheduledAdjustmentAt !== null &&
            confirmItem(commands.unschedule, of, {
              text: `The items of now stay after ${dayText(scheduledAdjustmentAt)}.`,
            }),
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
            ? confirmItem(commands.uncancel, of, {
                text: cancelScheduledAt && `It will not end on ${dayText(cancelScheduledAt)}.`,
              })
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
