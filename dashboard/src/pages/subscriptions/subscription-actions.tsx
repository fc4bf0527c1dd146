import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { GrantCreditsDialog } from '../usage/grant-credits-dialog.tsx';
import { AdjustDialog } from './adjust-dialog.tsx';
import { EndDialogs } from './end-dialogs.tsx';
import { PaymentDialog } from './payment-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import type { OneSubscriptionQuery } from './subscription.generated.ts';
import { TrialDialog } from './trial-dialog.tsx';

type Subscription = NonNullable<OneSubscriptionQuery['subscription']>;
/** A dialog of a command of a subscription. */
export type SubscriptionDialog =
  | 'adjust'
  | 'cancel'
  | 'uncancel'
  | 'unschedule'
  | 'grant'
  | 'payment'
  | 'trial'
  | 'rename';

/** Whether a subscription can no longer change. */
export const isEnded = ({ status }: Pick<Subscription, 'status'>) =>
  ['canceled', 'incomplete_expired'].includes(status);

/** The commands of a subscription. */
export function SubscriptionActions({ subscription }: { readonly subscription: Subscription }) {
  const [dialog, setDialog] = useState<SubscriptionDialog>();
  const close = () => setDialog(undefined);
  const { status, isFreePlan, doNotCharge, scheduledAdjustmentAt } = subscription;
  if (isEnded(subscription)) return null;
  return (
    <>
      {!isFreePlan && (
        <Button size="xs" onClick={() => setDialog('adjust')}>
          Change plan
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" aria-label="More actions" px="xs">
            <IconDots size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('grant')}>Grant usage credits</Menu.Item>
          {!isFreePlan && !doNotCharge && (
            <Menu.Item onClick={() => setDialog('payment')}>Change the payment</Menu.Item>
          )}
          {status === 'trialing' && (
            <Menu.Item onClick={() => setDialog('trial')}>Move the end of the trial</Menu.Item>
          )}
          <Menu.Item onClick={() => setDialog('rename')}>Rename</Menu.Item>
          {scheduledAdjustmentAt && (
            <Menu.Item onClick={() => setDialog('unschedule')}>
              Cancel the scheduled change
            </Menu.Item>
          )}
          {status === 'cancellation_scheduled' ? (
            <Menu.Item onClick={() => setDialog('uncancel')}>Keep the subscription</Menu.Item>
          ) : (
            !isFreePlan && (
              <Menu.Item color="red" onClick={() => setDialog('cancel')}>
                Cancel
              </Menu.Item>
            )
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'adjust' && <AdjustDialog onClose={close} subscription={subscription} />}
      {dialog === 'payment' && <PaymentDialog onClose={close} subscription={subscription} />}
      {dialog === 'trial' && <TrialDialog onClose={close} subscription={subscription} />}
      {dialog === 'rename' && <RenameDialog onClose={close} subscription={subscription} />}
      <EndDialogs dialog={dialog} onClose={close} subscription={subscription} />
      <GrantCreditsDialog
        isOpen={dialog === 'grant'}
        onClose={close}
        subscriptions={[subscription]}
      />
    </>
  );
}
