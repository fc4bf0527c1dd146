import { Button, Menu, Select } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { GrantCreditsDialog } from '../usage/grant-credits-dialog.tsx';
import { AdjustDialog } from './adjust-dialog.tsx';
import {
  CancelScheduledAdjustmentDocument,
  CancelSubscriptionDocument,
  type OneSubscriptionQuery,
  UncancelSubscriptionDocument,
} from './subscription.generated.ts';

type Subscription = NonNullable<OneSubscriptionQuery['subscription']>;
type Dialog = 'adjust' | 'cancel' | 'uncancel' | 'unschedule' | 'grant';

const ended = ['canceled', 'incomplete_expired'];

/** The commands of a subscription. */
export function SubscriptionActions({ subscription }: { readonly subscription: Subscription }) {
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const { id, status, isFreePlan, scheduledAdjustmentAt } = subscription;
  if (ended.includes(status)) return null;
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
      {dialog === 'adjust' && <AdjustDialog isOpen onClose={close} subscription={subscription} />}
      {dialog === 'cancel' && <CancelDialog id={id} onClose={close} />}
      <GrantCreditsDialog
        isOpen={dialog === 'grant'}
        onClose={close}
        subscriptions={[subscription]}
      />
      <CommandDialog
        title="Keep the subscription"
        isOpen={dialog === 'uncancel'}
        onClose={close}
        document={UncancelSubscriptionDocument}
        variables={{ id }}
        label="Keep it"
        done="The subscription renews again"
      />
      <CommandDialog
        title="Cancel the scheduled change"
        isOpen={dialog === 'unschedule'}
        onClose={close}
        document={CancelScheduledAdjustmentDocument}
        variables={{ id }}
        label="Cancel the change"
        done="The scheduled change is canceled"
      />
    </>
  );
}

const timings = [
  { value: 'at_end_of_current_billing_period', label: 'At the end of the period' },
  { value: 'immediately', label: 'Now' },
];

function CancelDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const [timing, setTiming] = useState<string | null>('at_end_of_current_billing_period');
  return (
    <CommandDialog
      title="Cancel the subscription"
      isOpen
      onClose={onClose}
      document={CancelSubscriptionDocument}
      variables={{ id, cancellation: { timing: timing as 'immediately' } }}
      label="Cancel the subscription"
      isDangerous
      done="The subscription is canceled"
    >
      <Select
        label="When"
        data={timings}
        value={timing}
        onChange={setTiming}
        allowDeselect={false}
      />
    </CommandDialog>
  );
}
