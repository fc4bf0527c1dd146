import { Checkbox, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { AmountInput } from '../../parts/fields/amount-input.tsx';
import { DecimalField, NumberField } from '../../parts/fields/number-field.tsx';
import { TimeInput } from '../../parts/fields/time-input.tsx';
import { decimalText } from '../../parts/fields/typed-number.ts';
import { ownUnitPrice, type SubscriptionItem } from './items-of.ts';
import { UpdateSubscriptionItemDocument } from './subscription.generated.ts';

interface Props {
  readonly item: SubscriptionItem;
  readonly currency: string;
  readonly onClose: () => void;
}

const timings = [
  { value: 'auto', label: 'An upgrade now, anything else at the end of the period' },
  { value: 'immediately', label: 'Now' },
  { value: 'at_end_of_current_billing_period', label: 'At the end of the period' },
];

/** Changes one item of a subscription; the others stay as they are. */
export function ItemDialog({ item, currency, onClose }: Props) {
  const [quantity, setQuantity] = useState<number | undefined>(item.quantity);
  const own = ownUnitPrice(item);
  const ownDiscount = decimalText(item.discountPercentage ?? undefined);
  const [unitPrice, setUnitPrice] = useState(own);
  const [discount, setDiscount] = useState(ownDiscount);
  const [trialEnd, setTrialEnd] = useState(item.trialEnd ?? null);
  const [name, setName] = useState(item.name);
  const [timing, setTiming] = useState('auto');
  const [isProrated, setProrated] = useState(true);
  const changes = {
    ...(quantity !== item.quantity && { quantity }),
    ...(unitPrice !== own && { unitPrice }),
    ...(discount !== ownDiscount && { discountPercentage: discount || null }),
    ...(trialEnd !== (item.trialEnd ?? null) && { trialEnd }),
    ...(name.trim() !== item.name && { name: name.trim() }),
  };
  const isComplete =
    quantity !== undefined &&
    (unitPrice !== undefined || own === undefined) &&
    name.trim() &&
    Object.keys(changes).length > 0;
  return (
    <CommandDialog
      title={`Change ${item.name}`}
      onClose={onClose}
      document={UpdateSubscriptionItemDocument}
      variables={
        isComplete
          ? {
              id: item.id,
              version: item.version,
              subscriptionItem: changes,
              timing: timing as 'auto',
              ...(!isProrated && { prorate: false }),
            }
          : undefined
      }
      label="Change"
      done="The item is changed"
    >
      <NumberField
        label="Quantity"
        min={1}
        value={quantity}
        onChange={setQuantity}
        data-autofocus
      />
      <AmountInput
        label="Unit price"
        {...(own === undefined && { description: 'Replaces the model of the price' })}
        currency={currency}
        value={unitPrice}
        onChange={setUnitPrice}
      />
      <DecimalField
        label="Discount of the item"
        placeholder="None"
        max={100}
        decimals={4}
        unit="%"
        value={discount}
        onChange={setDiscount}
      />
      <TimeInput
        label="Free until"
        placeholder="Charged"
        clearable
        value={trialEnd}
        onChange={setTrialEnd}
      />
      <TextInput
        label="Name"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Select
        label="When"
        data={timings}
        value={timing}
        onChange={(value) => setTiming(value ?? 'auto')}
        allowDeselect={false}
      />
      {timing !== 'at_end_of_current_billing_period' && (
        <Checkbox
          label="Charge the rest of this period"
          description="Otherwise a change that takes effect now costs nothing before the next period"
          checked={isProrated}
          onChange={({ currentTarget }) => setProrated(currentTarget.checked)}
        />
      )}
    </CommandDialog>
  );
}
