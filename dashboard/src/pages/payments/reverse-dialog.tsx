import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { ReversePaymentDocument } from './payment.generated.ts';

/** Reverses a payment that was recorded by hand, for example after a returned check. */
export function ReverseDialog({
  id,
  onClose,
}: {
  readonly id: string;
  readonly onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  return (
    <CommandDialog
      title="Reverse the payment"
      onClose={onClose}
      document={ReversePaymentDocument}
      variables={reason.trim() ? { id, reason: reason.trim() } : undefined}
      label="Reverse"
      isDangerous
      done="The payment is reversed"
    >
      <TextInput
        label="Reason"
        data-autofocus
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </CommandDialog>
  );
}
