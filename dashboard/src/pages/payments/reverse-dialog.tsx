import { CommandDialog } from '../../commands/command-dialog.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { ReversePaymentDocument } from './payment.generated.ts';

/** Reverses a payment that was recorded by hand, for example after a returned check. */
export function ReverseDialog({
  id,
  onClose,
}: {
  readonly id: string;
  readonly onClose: () => void;
}) {
  const reason = useField('');
  return (
    <CommandDialog
      title="Reverse the payment"
      onClose={onClose}
      document={ReversePaymentDocument}
      variables={reason.value.trim() ? { id, reason: reason.value.trim() } : undefined}
      label="Reverse"
      isDangerous
      done="The payment is reversed"
    >
      <TextField label="Reason" data-autofocus {...reason} />
    </CommandDialog>
  );
}
