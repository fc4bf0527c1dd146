import { DateTimePicker } from '@mantine/dates';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { type OneSubscriptionQuery, UpdateSubscriptionDocument } from './subscription.generated.ts';

interface Props {
  readonly subscription: NonNullable<OneSubscriptionQuery['subscription']>;
  readonly onClose: () => void;
}

/** Moves the end of a running trial. */
export function TrialDialog({ subscription, onClose }: Props) {
  const { id, version, trialEnd, customer } = subscription;
  const [end, setEnd] = useState<string | null>(null);
  const at = end === null ? undefined : new Date(end).getTime();
  const { testClock } = customer;
  return (
    <CommandDialog
      title="Move the end of the trial"
      isOpen
      onClose={onClose}
      document={UpdateSubscriptionDocument}
      variables={
        at && at !== trialEnd ? { id, version, subscription: { trialEnd: at } } : undefined
      }
      label="Move"
      done="The end of the trial is moved"
    >
      <DateTimePicker
        label="The trial ends"
        description="The first charge and the credits of the trial move with it"
        {...(trialEnd && { defaultDate: new Date(trialEnd), placeholder: placeholderOf(trialEnd) })}
        minDate={new Date(testClock?.frozenTime ?? Date.now())}
        value={end}
        onChange={setEnd}
        data-autofocus
      />
    </CommandDialog>
  );
}

const placeholderOf = (trialEnd: number) => `Now ${new Date(trialEnd).toLocaleString()}`;
