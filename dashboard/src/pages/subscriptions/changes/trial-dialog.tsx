import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { TimeInput } from '../../../parts/fields/time-input.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import { instantText } from '../../../parts/texts/days.ts';
import { UpdateSubscriptionDocument } from '../subscription.generated.ts';
import type { SubscriptionDialogProps } from '../subscription.ts';

/** Moves the end of a running trial. */
export function TrialDialog({ subscription, onClose }: SubscriptionDialogProps) {
  const { id, version, trialEnd, customer } = subscription;
  const end = useField<number | null>(null);
  const { testClock } = customer;
  return (
    <CommandDialog
      title="Move the end of the trial"
      onClose={onClose}
      document={UpdateSubscriptionDocument}
      variables={
        end.value !== null &&
        end.value !== trialEnd && { id, version, subscription: { trialEnd: end.value } }
      }
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
    </CommandDialog>
  );
}
