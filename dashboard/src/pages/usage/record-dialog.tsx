import { CommandDialog } from '../../commands/command-dialog.tsx';
import { CustomerSubscription } from '../../parts/fields/customer-subscription.tsx';
import { DecimalField } from '../../parts/fields/number-field.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { TimeInput } from '../../parts/fields/time-input.tsx';
import { useField } from '../../parts/fields/use-field.ts';
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
  const subscriptionId = useField<string | null>(null);
  const amount = useField('1');
  const at = useField<number | null>(null);
  const transactionId = useField(newTransactionId);
  const text = useField('');
  const properties = propertiesOf(text.value);
  const isComplete =
    subscriptionId.value && Number(amount.value) > 0 && transactionId.value.trim() && properties;
  return (
    <CommandDialog
      title={`Record usage of ${meter.name}`}
      onClose={onClose}
      document={RecordUsageDocument}
      variables={
        isComplete && {
          usageEvent: {
            subscriptionId: subscriptionId.value,
            usageMeterId: meter.id,
            amount: amount.value,
            transactionId: transactionId.value.trim(),
            ...(at.value !== null && { usageDate: at.value }),
            ...(Object.keys(properties).length > 0 && { properties }),
          },
        }
      }
      label="Record"
      done="The usage is recorded"
    >
      <CustomerSubscription {...subscriptionId} />
      <DecimalField label="Amount" decimals={9} {...amount} />
      <TimeInput label="Time" description="Now when empty" clearable withSeconds {...at} />
      <PropertiesInput {...text} />
      <TextField
        label="Transaction id"
        description="A meter counts each transaction id once"
        {...transactionId}
      />
    </CommandDialog>
  );
}
