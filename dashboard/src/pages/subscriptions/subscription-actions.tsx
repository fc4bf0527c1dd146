import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { CommandButton, CommandItem } from '../../commands/command-button.tsx';
import { IconDots } from '../../icons/icons.tsx';
import { GrantCreditsDialog } from '../usage/grant-credits-dialog.tsx';
import { AdjustDialog } from './changes/adjust-dialog.tsx';
import { CommitDialog, EndCommitmentDialog } from './changes/commitment-dialogs.tsx';
import { CycleDialog } from './changes/cycle-dialog.tsx';
import {
  ApplyDiscountDialog,
  presentDiscount,
  RemoveDiscountDialog,
} from './changes/discount-dialogs.tsx';
import { EndDialogs } from './changes/end-dialogs.tsx';
import { PauseDialog, ResumeDialog } from './changes/pause-dialogs.tsx';
import { PaymentDialog } from './changes/payment-dialog.tsx';
import { RenameDialog } from './changes/rename-dialog.tsx';
import { TrialDialog } from './changes/trial-dialog.tsx';
import type { OneSubscriptionQuery } from './subscription.generated.ts';

type Subscription = NonNullable<OneSubscriptionQuery['subscription']>;
/** A dialog of a command of a subscription. */
export type SubscriptionDialog =
  | 'adjust'
  | 'cancel'
  | 'uncancel'
  | 'pause'
  | 'resume'
  | 'unschedule'
  | 'grant'
  | 'payment'
  | 'trial'
  | 'cycle'
  | 'commit'
  | 'uncommit'
  | 'discount'
  | 'undiscount'
  | 'rename';

/** Whether a subscription can no longer change. */
export const isEnded = ({ status }: Pick<Subscription, 'status'>) =>
  ['canceled', 'incomplete_expired'].includes(status);

/** The commands of a subscription. */
export function SubscriptionActions({ subscription }: { readonly subscription: Subscription }) {
  const [dialog, setDialog] = useState<SubscriptionDialog>();
  const close = () => setDialog(undefined);
  const { status, isFreePlan, doNotCharge, renews, scheduledAdjustmentAt } = subscription;
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
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" aria-label="More actions" px="xs">
            <IconDots size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <CommandItem does="grantUsageCredits" onClick={() => setDialog('grant')}>
            Grant usage credits
          </CommandItem>
          {!isFreePlan && !doNotCharge && (
            <CommandItem does="updateSubscription" onClick={() => setDialog('payment')}>
              Change the payment
            </CommandItem>
          )}
          {status === 'trialing' && (
            <CommandItem does="updateSubscription" onClick={() => setDialog('trial')}>
              Move the end of the trial
            </CommandItem>
          )}
          {renews && (
            <CommandItem does="updateSubscription" onClick={() => setDialog('cycle')}>
              Change the billing cycle
            </CommandItem>
          )}
          {renews && !isFreePlan && !doNotCharge && (
            <CommandItem does="setCommitment" onClick={() => setDialog('commit')}>
              {subscription.commitment ? 'Change the commitment' : 'Add a commitment'}
            </CommandItem>
          )}
          {subscription.commitment && (
            <CommandItem does="endCommitment" onClick={() => setDialog('uncommit')}>
              End the commitment
            </CommandItem>
          )}
          {renews && !doNotCharge && status !== 'incomplete' && (
            <CommandItem does="applyDiscount" onClick={() => setDialog('discount')}>
              Apply a discount
            </CommandItem>
          )}
          {discount && (
            <CommandItem does="removeDiscount" onClick={() => setDialog('undiscount')}>
              Remove the discount
            </CommandItem>
          )}
          <CommandItem does="updateSubscription" onClick={() => setDialog('rename')}>
            Rename
          </CommandItem>
          {scheduledAdjustmentAt && (
            <CommandItem does="cancelScheduledAdjustment" onClick={() => setDialog('unschedule')}>
              Cancel the scheduled change
            </CommandItem>
          )}
          {isPaused && (
            <CommandItem does="resumeSubscription" onClick={() => setDialog('resume')}>
              {status === 'paused' ? 'Resume' : 'Cancel the pause'}
            </CommandItem>
          )}
          {!isPaused && renews && !isFreePlan && status !== 'cancellation_scheduled' && (
            <CommandItem does="pauseSubscription" onClick={() => setDialog('pause')}>
              Pause
            </CommandItem>
          )}
          {status === 'cancellation_scheduled' ? (
            <CommandItem does="uncancelSubscription" onClick={() => setDialog('uncancel')}>
              Keep the subscription
            </CommandItem>
          ) : (
            !isFreePlan && (
              <CommandItem
                does="cancelSubscription"
                color="red"
                onClick={() => setDialog('cancel')}
              >
                Cancel
              </CommandItem>
            )
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'adjust' && <AdjustDialog onClose={close} subscription={subscription} />}
      {dialog === 'payment' && <PaymentDialog onClose={close} subscription={subscription} />}
      {dialog === 'trial' && <TrialDialog onClose={close} subscription={subscription} />}
      {dialog === 'cycle' && <CycleDialog onClose={close} subscription={subscription} />}
      {dialog === 'commit' && <CommitDialog onClose={close} subscription={subscription} />}
      {dialog === 'uncommit' && <EndCommitmentDialog onClose={close} subscription={subscription} />}
      {dialog === 'discount' && <ApplyDiscountDialog onClose={close} subscription={subscription} />}
      {dialog === 'undiscount' && (
        <RemoveDiscountDialog onClose={close} subscription={subscription} />
      )}
      {dialog === 'rename' && <RenameDialog onClose={close} subscription={subscription} />}
      {dialog === 'pause' && <PauseDialog onClose={close} subscription={subscription} />}
      {dialog === 'resume' && <ResumeDialog onClose={close} subscription={subscription} />}
      <EndDialogs dialog={dialog} onClose={close} subscription={subscription} />
      <GrantCreditsDialog
        isOpen={dialog === 'grant'}
        onClose={close}
        subscriptions={[subscription]}
      />
    </>
  );
}
