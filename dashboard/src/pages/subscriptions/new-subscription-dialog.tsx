import { Select, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useQuery } from 'urql';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { CustomerSelect } from '../../parts/fields/customer-select.tsx';
import { NumberField } from '../../parts/fields/number-field.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { TimeInput } from '../../parts/fields/time-input.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { AdjustmentItems, anItem, newItemInput } from './changes/adjustment-items.tsx';
import { CustomerModelDocument, SubscribeDocument } from './subscribe.generated.ts';

interface Props {
  readonly onClose: () => void;
  /** The customer, where the page has one; it is chosen otherwise. */
  readonly customer?: { readonly id: string; readonly currency: string | null };
}

const methods = [
  { value: 'charge_automatically', label: 'Charge the payment method' },
  { value: 'send_invoice', label: 'Send invoices' },
];

/** Subscribes a customer to one or several items. */
export function NewSubscriptionDialog({ onClose, customer: given }: Props) {
  const navigate = useNavigate();
  const [customer, setCustomer] = useState(given);
  const [items, setItems] = useState(() => [anItem()]);
  const method = useField<string | null>(null);
  const trialEnd = useField<number | null>(null);
  const code = useField('');
  const day = useField<number>();
  const periods = useField<number>();
  const [{ data }] = useQuery({
    query: CustomerModelDocument,
    variables: { id: customer?.id ?? '' },
    pause: !customer,
  });
  const model = customer && data?.customer?.pricingModelId;
  const inputs = items.flatMap((item) => newItemInput(item) ?? []);
  const isComplete = customer && inputs.length === items.length;
  return (
    <CommandDialog
      title="New subscription"
      onClose={onClose}
      document={SubscribeDocument}
      variables={
        isComplete && {
          customerId: customer.id,
          ...itemsOf(inputs),
          ...(method.value && { collectionMethod: method.value as 'send_invoice' }),
          ...(trialEnd.value !== null && { trialEnd: trialEnd.value }),
          ...(day.value !== undefined && { anchorDayOfMonth: day.value }),
          ...(periods.value !== undefined && { periodCount: periods.value }),
          ...(code.value.trim() && { discountCode: code.value.trim() }),
        }
      }
      label="Subscribe"
      done="The customer is subscribed"
      onDone={({ createSubscription: created }) => {
        if (created) navigate(`/subscriptions/${created.subscription.id}`);
      }}
    >
      {!given && (
        <CustomerSelect
          value={customer?.id ?? null}
          onChange={(next) => {
            setCustomer(next);
            setItems([anItem()]);
          }}
        />
      )}
      {model && (
        <AdjustmentItems
          items={items}
          onChange={(items) => setItems([...items])}
          pricingModelId={model}
          currency={customer.currency}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="Payment"
          placeholder="As the customer pays"
          data={methods}
          {...method}
          clearable
          clearButtonProps={{ 'aria-label': 'As the customer pays' }}
        />
        <TimeInput
          label="Trial until"
          placeholder="No trial"
          {...trialEnd}
          clearable
          clearButtonProps={{ 'aria-label': 'No trial' }}
        />
        <TextField label="Discount code" placeholder="None" {...code} />
        <NumberField
          label="Day of the month"
          placeholder="From the start"
          min={1}
          max={31}
          {...day}
        />
        <NumberField
          label="Ends after periods"
          placeholder="Without an end"
          min={1}
          max={1000}
          {...periods}
        />
      </SimpleGrid>
    </CommandDialog>
  );
}

type Inputs = readonly NonNullable<ReturnType<typeof newItemInput>>[];

/** One item as listed is named by its price alone. */
function itemsOf(inputs: Inputs) {
  const [first, ...more] = inputs;
  if (first && more.length === 0 && first.unitPrice === undefined) return first;
  return { items: [...inputs] };
}
