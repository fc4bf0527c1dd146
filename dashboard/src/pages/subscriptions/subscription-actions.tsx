import { useState } from 'react';
import { CommandButton } from '../../commands/command-button.tsx';
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
import type { OneSubscriptionQuery } from './subscription.generated.ts';

type Subscription = NonNullable<OneSubscriptionQuery['subscription']>;

/** The dialogs by their names; that of usage credits is also one of a customer. */
const dialogs = {
  adjust: AdjustDialog,
  payment: PaymentDialog,
  trial: TrialDialog,
  cycle: CycleDialog,
  commit: CommitDialog,
  uncommit: EndCommitmentDialog,
  discount: ApplyDiscountDialog,
  undiscount: RemoveDiscountDialog,
  rename: RenameDialog,
  pause: PauseDialog,
  resume: ResumeDialog,
  cancel: CancelDialog,
  uncancel: UncancelDialog,
  unschedule: UnscheduleDialog,
};

type SubscriptionDialog = keyof typeof dialogs | 'grant';

/** Whether a subscription can no longer change. */
export const isEnded = ({ status }: Pick<Subscription, 'status'>) =>
  ['canceled', 'incomplete_expired'].includes(status);

/** The commands of a subscription. */
export function SubscriptionActions({ subscription }: { readonly subscription: Subscription }) {
  const [dialog, setDialog] = useState<SubscriptionDialog>();
  const close = () => setDialog(undefined);
  const { status, isFreePlan, doNotCharge, renews, scheduledAdjustmentAt, commitment } =
    subscription;
  const isPaid = !isFreePlan && !doNotCharge;
  const isEnding = status === 'cancellation_scheduled';
  const Opened = dialog && dialog !== 'grant' ? dialogs[dialog] : undefined;
  const discount = presentDiscount(subscription);
  const isPaused = status === 'paused' || subscription.pauseScheduledAt !== null;
  if (isEnded(subscription)) return null;
  return (
    <>
      {!isFreePlan && (
        <CommandButton does="adjustSubscription" size="xs" onClick={() => setDialog('adjust')}>
          Change plan
        </CommandButton>
      )}
      <MoreActions
        onOpen={setDialog}
        actions={[
          ['grant', 'Grant usage credits', 'grantUsageCredits'],
          isPaid && ['payment', 'Change the payment', 'updateSubscription'],
          status === 'trialing' && ['trial', 'Move the end of the trial', 'updateSubscription'],
          renews && ['cycle', 'Change the billing cycle', 'updateSubscription'],
          renews &&
            isPaid && [
              'commit',
              commitment ? 'Change the commitment' : 'Add a commitment',
              'setCommitment',
            ],
          commitment && ['uncommit', 'End the commitment', 'endCommitment'],
          renews &&
            !doNotCharge &&
            status !== 'incomplete' && ['discount', 'Apply a discount', 'applyDiscount'],
          discount && ['undiscount', 'Remove the discount', 'removeDiscount'],
          ['rename', 'Rename', 'updateSubscription'],
          scheduledAdjustmentAt !== null && [
            'unschedule',
            'Cancel the scheduled change',
            'cancelScheduledAdjustment',
          ],
          isPaused && [
            'resume',
            status === 'paused' ? 'Resume' : 'Cancel the pause',
            'resumeSubscription',
          ],
          !isPaused &&
            renews &&
            !isFreePlan &&
            !isEnding && ['pause', 'Pause', 'pauseSubscription'],
          isEnding
            ? ['uncancel', 'Keep the subscription', 'uncancelSubscription']
            : !isFreePlan && ['cancel', 'Cancel', 'cancelSubscription', { color: 'red' }],
        ]}
      />
      {Opened && <Opened onClose={close} subscription={subscription} />}
      <GrantCreditsDialog
        isOpen={dialog === 'grant'}
        onClose={close}
        subscriptions={[subscription]}
      />
    </>
  );
}
