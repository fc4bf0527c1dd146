import { CommandDialog } from '../../commands/command-dialog.tsx';
import { AmountInput } from '../../parts/fields/amount-input.tsx';
import { DecimalField, NumberField } from '../../parts/fields/number-field.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { TimeInput } from '../../parts/fields/time-input.tsx';
import { decimalText } from '../../parts/fields/typed-number.ts';
import { useField } from '../../parts/fields/use-field.ts';
import { useTimingFields } from './changes/timing-fields.tsx';
import { ownUnitPrice, type SubscriptionItem } from './items-of.ts';
import { UpdateSubscriptionItemDocument } from './subscription.generated.ts';

interface Props {
  readonly item: SubscriptionItem;
  readonly currency: string;
  readonly onClose: () => void;
}

/** Changes one item of a subscription; the others stay as they are. */
export function ItemDialog({ item, currency, onClose }: Props) {
  const quantity = useField<number | undefined>(item.quantity);
  const own = ownUnitPrice(item);
  const ownDiscount = decimalText(item.discountPercentage ?? undefined);
  const unitPrice = useField(own);
  const discount = useField(ownDiscount);
  const trialEnd = useField(item.trialEnd ?? null);
  const name = useField(item.name);
  const { timing, isProrated, fields } = useTimingFields();
  const changes = {
    ...(quantity.value !== item.quantity && { quantity: quantity.value }),
    ...(unitPrice.value !== own && { unitPrice: unitPrice.value }),
    ...(discount.value !== ownDiscount && { discountPercentage: discount.value || null }),
    ...(trialEnd.value !== (item.trialEnd ?? null) && { trialEnd: trialEnd.value }),
    ...(name.value.trim() !== item.name && { name: name.value.trim() }),
  };
  const isComplete =
    quantity.value !== undefined &&
    (unitPrice.value !== undefined || own === undefined) &&
    name.value.trim() &&
    Object.keys(changes).length > 0;
  return (
    <CommandDialog
      title={`Change ${item.name}`}
      onClose={onClose}
      document={UpdateSubscriptionItemDocument}
      variables={
        isComplete && {
          id: item.id,
          version: item.version,
          subscriptionItem: changes,
          timing,
          ...(!isProrated && { prorate: false }),
        }
      }
      label="Change"
      done="The item is changed"
    >
      <NumberField label="Quantity" min={1} {...quantity} data-autofocus />
      <AmountInput
        label="Unit price"
        {...(own === undefined && { description: 'Replaces the model of the price' })}
        currency={currency}
        {...unitPrice}
      />
      <DecimalField
        label="Discount of the item"
        placeholder="None"
        max={100}
        decimals={4}
        unit="%"
        {...discount}
      />
      <TimeInput label="Free until" placeholder="Charged" clearable {...trialEnd} />
      <TextField label="Name" {...name} />
      {fields}
    </CommandDialog>
  );
}
