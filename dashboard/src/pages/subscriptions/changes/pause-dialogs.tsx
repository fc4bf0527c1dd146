import { Text } from '@mantine/core';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { Radios } from '../../../parts/fields/radios.tsx';
import { TimeInput } from '../../../parts/fields/time-input.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import { dayText } from '../../../parts/texts/days.ts';
import {
  PauseSubscriptionDocument,
  ResumeSubscriptionDocument,
} from '../subscription.generated.ts';
import type { SubscriptionDialogProps } from '../subscription.ts';

const kinds: Readonly<
  Record<string, { billing: 'nothing' | 'keeps'; entitlements: 'off' | 'on' }>
> = {
  all: { billing: 'nothing', entitlements: 'off' },
  billing: { billing: 'nothing', entitlements: 'on' },
  features: { billing: 'keeps', entitlements: 'off' },
};

/** Pauses a subscription, now or with its period, until a time or until it is resumed. */
export function PauseDialog({ subscription, onClose }: SubscriptionDialogProps) {
  const { id, currentBillingPeriodEnd: end, customer } = subscription;
  const timing = useField('at_end_of_current_billing_period');
  const resumesAt = useField<number | null>(null);
  const kind = useField('all');
  const now = customer.testClock?.frozenTime ?? Date.now();
  const from = timing.value === 'immediately' ? now : (end ?? now);
  return (
    <CommandDialog
      title="Pause the subscription"
      onClose={onClose}
      document={PauseSubscriptionDocument}
      variables={{
        id,
        pause: {
          timing: timing.value as 'immediately',
          resumesAt: resumesAt.value,
          ...kinds[kind.value],
        },
      }}
      label="Pause"
      done="The subscription pauses"
    >
      <Radios
        label="When"
        data={[
          {
            value: 'at_end_of_current_billing_period',
            label: 'At the end of the period',
            description: end && dayText(end),
          },
          {
            value: 'immediately',
            label: 'Now',
            description: 'The paid period runs on, and nothing is refunded.',
          },
        ]}
        {...timing}
      />
      <Radios
        label="What pauses"
        data={[
          { value: 'all', label: 'Charges and features' },
          { value: 'billing', label: 'Charges only', description: 'The features stay' },
          {
            value: 'features',
            label: 'Features only',
            description: 'Periods are charged as before',
          },
        ]}
        {...kind}
      />
      <TimeInput
        label="Resumes"
        description="By hand when empty"
        clearable
        earliest={from}
        {...resumesAt}
      />
    </CommandDialog>
  );
}

/** Ends a pause, or cancels a scheduled one. */
export function ResumeDialog({ subscription, onClose }: SubscriptionDialogProps) {
  const { id, status, currentBillingPeriodEnd: end, customer } = subscription;
  const isPaused = status === 'paused';
  const isWithin = end !== null && end > (customer.testClock?.frozenTime ?? Date.now());
  return (
    <CommandDialog
      title={isPaused ? 'Resume the subscription' : 'Cancel the pause'}
      onClose={onClose}
      document={ResumeSubscriptionDocument}
      variables={{ id }}
      label={isPaused ? 'Resume' : 'Cancel the pause'}
      done={isPaused ? 'The subscription is active again' : 'The pause is canceled'}
    >
      {isPaused && (
        <Text size="sm">
          {isWithin
            ? `The period continues until ${dayText(end)}. Nothing is charged now.`
            : 'A new period starts now and is charged. Later ones repeat from here.'}
        </Text>
      )}
    </CommandDialog>
  );
}
