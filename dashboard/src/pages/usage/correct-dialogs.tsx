import { Text } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { TextCommandDialog } from '../../commands/text-command-dialog.tsx';
import { DecimalField } from '../../parts/fields/number-field.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { TimeInput } from '../../parts/fields/time-input.tsx';
import { decimalText } from '../../parts/fields/typed-number.ts';
import { useField } from '../../parts/fields/use-field.ts';
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

const reasonField = { label: 'Reason', description: 'The event keeps it', required: true };

/** Voids a usage event: it does not count any more. */
export const VoidDialog = ({ row: { id, amount, customer, usageDate }, onClose }: Props) => (
  <TextCommandDialog
    title="Void the usage event"
    onClose={onClose}
    document={VoidUsageDocument}
    variables={(reason) => reason && { id, reason }}
    label="Void"
    isDangerous
    done="The usage event is void"
    field={reasonField}
  >
    <Text size="sm">
      {numberText(amount)} of <bdi>{customer.name}</bdi> at {instantText(usageDate)} will not count.
      Billed usage is corrected on the next invoice.
    </Text>
  </TextCommandDialog>
);

/** Replaces a usage event by one with another amount, time or other properties. */
export function ReplaceDialog({ row, onClose, onReplaced }: Props) {
  const reason = useField('');
  const amount = useField(() => decimalText(row.amount));
  const at = useField<number | null>(null);
  const [transactionId] = useState(newTransactionId);
  const before = entriesOf(row.properties).map(propertyText).join('\n');
  const text = useField(before);
  const properties = text.value === before ? row.properties : propertiesOf(text.value);
  const isChanged =
    Number(amount.value) !== row.amount || at.value !== null || text.value !== before;
  const isComplete =
    reason.value.trim() !== '' && Number(amount.value) > 0 && properties !== undefined && isChanged;
  const usageEvent = isComplete && {
    amount: amount.value,
    transactionId,
    usageDate: at.value ?? row.usageDate,
    properties,
  };
  return (
    <CommandDialog
      title="Replace the usage event"
      onClose={onClose}
      document={ReplaceUsageDocument}
      variables={usageEvent && { id: row.id, reason: reason.value.trim(), usageEvent }}
      label="Replace"
      done="The usage event is replaced"
      onDone={({ replaceUsageEvent: by }) => by && onReplaced?.(by.usageEvent.id)}
    >
      <DecimalField
        label="Amount"
        description={`${numberText(row.amount)} so far`}
        decimals={9}
        {...amount}
      />
      <TimeInput
        label="Time"
        description={`${instantText(row.usageDate)} when empty`}
        clearable
        withSeconds
        {...at}
      />
      <PropertiesInput {...text} />
      <TextField {...reasonField} {...reason} />
    </CommandDialog>
  );
}
