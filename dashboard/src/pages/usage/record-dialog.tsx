import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { CustomerSelect } from '../../parts/fields/customer-select.tsx';
import { DecimalField } from '../../parts/fields/number-field.tsx';
import { SubscriptionSelect } from '../../parts/fields/subscription-select.tsx';
import { TimeInput } from '../../parts/fields/time-input.tsx';
import { newTransactionId } from './new-transaction-id.ts';
import { propertiesOf } from './properties.ts';
import { PropertiesInput } from './properties-input.tsx';
import { RecordUsageDocument } from './usage-events.generated.ts';

interface Props {
  readonly meter: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

/** Records a usage event by hand. */
export function RecordDialog({ meter, onClose }: Props) {
  const [customerId, setCustomer] = useState<string | null>(null);
  const [subscriptionId, setSubscription] = useState<string | null>(null);
  const [amount, setAmount] = useState('1');
  const [at, setAt] = useState<number | null>(null);
  const [transactionId, setTransaction] = useState(newTransactionId);
  const [text, setText] = useState('');
  const properties = propertiesOf(text);
  const isComplete = subscriptionId && Number(amount) > 0 && transactionId.trim() && properties;
  return (
    <CommandDialog
      title={`Record usage of ${meter.name}`}
      onClose={onClose}
      document={RecordUsageDocument}
      variables={
        isComplete
          ? {
              usageEvent: {
                subscriptionId,
                usageMeterId: meter.id,
                amount,
                transactionId: transactionId.trim(),
                ...(at !== null && { usageDate: at }),
                ...(Object.keys(properties).length > 0 && { properties }),
              },
            }
          : undefined
      }
      label="Record"
      done="The usage is recorded"
    >
      <CustomerSelect
        value={customerId}
        onChange={(customer) => {
          setCustomer(customer?.id ?? null);
          setSubscription(null);
        }}
      />
      <SubscriptionSelect
        customerId={customerId}
        value={subscriptionId}
        onChange={setSubscription}
      />
      <DecimalField label="Amount" decimals={9} value={amount} onChange={setAmount} />
      <TimeInput
        label="Time"
        description="Now when empty"
        clearable
        withSeconds
        value={at}
        onChange={setAt}
      />
      <PropertiesInput value={text} onChange={setText} />
      <TextInput
        label="Transaction id"
        description="A meter counts each transaction id once"
        value={transactionId}
        onChange={({ currentTarget }) => setTransaction(currentTarget.value)}
      />
    </CommandDialog>
  );
}
