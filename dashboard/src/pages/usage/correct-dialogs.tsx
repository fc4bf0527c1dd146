import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { DecimalField } from '../../parts/fields/number-field.tsx';
import { TimeInput } from '../../parts/fields/time-input.tsx';
import { decimalText } from '../../parts/fields/typed-number.ts';
import { instantText } from '../../parts/texts/days.ts';
import { numberText } from '../../parts/texts/formats.ts';
import { newTransactionId } from './new-transaction-id.ts';
import { entriesOf, propertiesOf, propertyText } from './properties.ts';
import { PropertiesInput } from './properties-input.tsx';
import {
  ReplaceUsageDocument,
  type UsageEventPartsFragment,
  VoidUsageDocument,
} from './usage-events.generated.ts';

interface Props {
  readonly row: UsageEventPartsFragment;
  readonly onClose: () => void;
  /** Receives the id of the event that replaces it. */
  readonly onReplaced?: (id: string) => void;
}

/** Voids a usage event: it does not count any more. */
export function VoidDialog({ row, onClose }: Props) {
  const [reason, setReason] = useState('');
  return (
    <CommandDialog
      title="Void the usage event"
      onClose={onClose}
      document={VoidUsageDocument}
      variables={reason.trim() ? { id: row.id, reason: reason.trim() } : undefined}
      label="Void"
      isDangerous
      done="The usage event is void"
    >
      <Text size="sm">
        {numberText(row.amount)} of <bdi>{row.customer.name}</bdi> at {instantText(row.usageDate)}{' '}
        will not count. Billed usage is corrected on the next invoice.
      </Text>
      <Reason value={reason} onChange={setReason} />
    </CommandDialog>
  );
}

/** Replaces a usage event by one with another amount, time or other properties. */
export function ReplaceDialog({ row, onClose, onReplaced }: Props) {
  const [reason, setReason] = useState('');
  const [amount, setAmount] = useState(() => decimalText(row.amount));
  const [at, setAt] = useState<number | null>(null);
  const [transactionId] = useState(newTransactionId);
  const before = entriesOf(row.properties).map(propertyText).join('\n');
  const [text, setText] = useState(before);
  const properties = text === before ? row.properties : propertiesOf(text);
  const isChanged = Number(amount) !== row.amount || at !== null || text !== before;
  const isComplete = reason.trim() && Number(amount) > 0 && properties && isChanged;
  return (
    <CommandDialog
      title="Replace the usage event"
      onClose={onClose}
      document={ReplaceUsageDocument}
      variables={
        isComplete
          ? {
              id: row.id,
              reason: reason.trim(),
              usageEvent: {
                amount,
                transactionId,
                usageDate: at ?? row.usageDate,
                properties,
              },
            }
          : undefined
      }
      label="Replace"
      done="The usage event is replaced"
      onDone={({ replaceUsageEvent: by }) => by && onReplaced?.(by.usageEvent.id)}
    >
      <DecimalField
        label="Amount"
        description={`${numberText(row.amount)} so far`}
        decimals={9}
        value={amount}
        onChange={setAmount}
      />
      <TimeInput
        label="Time"
        description={`${instantText(row.usageDate)} when empty`}
        clearable
        withSeconds
        value={at}
        onChange={setAt}
      />
      <PropertiesInput value={text} onChange={setText} />
      <Reason value={reason} onChange={setReason} />
    </CommandDialog>
  );
}

function Reason(props: { readonly value: string; readonly onChange: (reason: string) => void }) {
  return (
    <TextInput
      label="Reason"
      description="The event keeps it"
      required
      value={props.value}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
    />
  );
}
