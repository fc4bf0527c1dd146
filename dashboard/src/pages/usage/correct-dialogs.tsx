import { NumberInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { numberText } from '../../parts/formats.ts';
import { ReplaceUsageDocument, VoidUsageDocument } from './usage.generated.ts';
import type { UsageRow } from './usage-events-table.tsx';

interface Props {
  readonly row: UsageRow;
  readonly onClose: () => void;
}

/** Voids a usage event: it does not count any more. */
export function VoidDialog({ row, onClose }: Props) {
  const [reason, setReason] = useState('');
  return (
    <CommandDialog
      title="Void the usage event"
      isOpen
      onClose={onClose}
      document={VoidUsageDocument}
      variables={reason.trim() ? { id: row.id, reason: reason.trim() } : undefined}
      label="Void"
      isDangerous
      done="The usage event is void"
    >
      <Text size="sm">
        {numberText(row.amount)} of <b dir="auto">{row.customer.name}</b> will not count. Billed
        usage is corrected on the next invoice.
      </Text>
      <Reason value={reason} onChange={setReason} />
    </CommandDialog>
  );
}

/** Replaces a usage event by one with another amount. */
export function ReplaceDialog({ row, onClose }: Props) {
  const [reason, setReason] = useState('');
  const [amount, setAmount] = useState<number | string>(row.amount);
  const isComplete = reason.trim() && Number(amount) > 0 && Number(amount) !== row.amount;
  return (
    <CommandDialog
      title="Replace the usage event"
      isOpen
      onClose={onClose}
      document={ReplaceUsageDocument}
      variables={
        isComplete
          ? {
              id: row.id,
              reason: reason.trim(),
              usageEvent: {
                amount: String(amount),
                transactionId: `${row.transactionId}-replaced`,
                usageDate: row.usageDate,
                properties: row.properties,
              },
            }
          : undefined
      }
      label="Replace"
      done="The usage event is replaced"
    >
      <NumberInput label="Amount" min={0} value={amount} onChange={setAmount} />
      <Reason value={reason} onChange={setReason} />
    </CommandDialog>
  );
}

function Reason(props: { readonly value: string; readonly onChange: (reason: string) => void }) {
  return (
    <TextInput
      label="Reason"
      description="It stays in the history of the event"
      value={props.value}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
    />
  );
}
