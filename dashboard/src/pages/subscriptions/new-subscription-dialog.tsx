import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useQuery } from 'urql';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { CustomerSelect } from '../../parts/fields/customer-select.tsx';
import { NumberField } from '../../parts/fields/number-field.tsx';
import { TimeInput } from '../../parts/fields/time-input.tsx';
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
  const [method, setMethod] = useState<string | null>(null);
  const [trialEnd, setTrialEnd] = useState<number | null>(null);
  const [code, setCode] = useState('');
  const [day, setDay] = useState<number>();
  const [periods, setPeriods] = useState<number>();
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
        isComplete
          ? {
              customerId: customer.id,
              ...itemsOf(inputs),
              ...(method && { collectionMethod: method as 'send_invoice' }),
              ...(trialEnd !== null && { trialEnd }),
              ...(day !== undefined && { anchorDayOfMonth: day }),
              ...(periods !== undefined && { periodCount: periods }),
              ...(code.trim() && { discountCode: code.trim() }),
            }
          : undefined
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
          value={method}
          onChange={setMethod}
          clearable
          clearButtonProps={{ 'aria-label': 'As the customer pays' }}
        />
        <TimeInput
          label="Trial until"
          placeholder="No trial"
          value={trialEnd}
          onChange={setTrialEnd}
          clearable
          clearButtonProps={{ 'aria-label': 'No trial' }}
        />
        <TextInput
          label="Discount code"
          placeholder="None"
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <NumberField
          label="Day of the month"
          placeholder="From the start"
          min={1}
          max={31}
          value={day}
          onChange={setDay}
        />
        <NumberField
          label="Ends after periods"
          placeholder="Without an end"
          min={1}
          max={1000}
          value={periods}
          onChange={setPeriods}
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
