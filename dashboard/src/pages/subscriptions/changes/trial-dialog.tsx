import { TimeInput } from '../../../parts/fields/time-input.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import { instantText } from '../../../parts/texts/days.ts';
import type { SubscriptionDialogProps } from '../subscription.ts';
import { UpdateDialog } from './update-dialog.tsx';

/** Moves the end of a running trial. */
export function TrialDialog({ subscription, onClose }: SubscriptionDialogProps) {
  const { trialEnd, customer } = subscription;
  const end = useField<number | null>(null);
  const { testClock } = customer;
  return (
    <UpdateDialog
      title="Move the end of the trial"
      {...{ subscription, onClose }}
      changes={end.value !== null && end.value !== trialEnd && { trialEnd: end.value }}
      label="Move"
      done="The end of the trial is moved"
    >
      <TimeInput
        label="The trial ends"
        description="The first charge and the credits of the trial move with it"
        {...(trialEnd && { near: trialEnd, placeholder: `Now ${instantText(trialEnd)}` })}
        earliest={testClock?.frozenTime ?? Date.now()}
        {...end}
        data-autofocus
      />
    </UpdateDialog>
  );
}
