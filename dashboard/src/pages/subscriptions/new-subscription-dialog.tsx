import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useQuery } from 'urql';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { CustomerSelect } from '../../parts/customer-select.tsx';
import { PriceSelect } from '../../parts/price-select.tsx';
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

/** Subscribes a customer to a price. */
export function NewSubscriptionDialog({ onClose, customer: given }: Props) {
  const navigate = useNavigate();
  const [customer, setCustomer] = useState(given);
  const [priceId, setPrice] = useState<string | null>(null);
  const [quantity, setQuantity] = useState<number | string>(1);
  const [method, setMethod] = useState<string | null>(null);
  const [trialEnd, setTrialEnd] = useState<string | null>(null);
  const [code, setCode] = useState('');
  const [{ data }] = useQuery({
    query: CustomerModelDocument,
    variables: { id: customer?.id ?? '' },
    pause: !customer,
  });
  const model = customer && data?.customer?.pricingModelId;
  const isComplete = customer && priceId && Number(quantity) >= 1;
  return (
    <CommandDialog
      title="New subscription"
      isOpen
      onClose={onClose}
      document={SubscribeDocument}
      variables={
        isComplete
          ? {
              customerId: customer.id,
              priceId,
              quantity: Number(quantity),
              ...(method && { collectionMethod: method as 'send_invoice' }),
              ...(trialEnd && { trialEnd: new Date(trialEnd).getTime() }),
              ...(code.trim() && { discountCode: code.trim() }),
            }
          : undefined
      }
      label="Subscribe"
      done="The customer is subscribed"
      onDone={({ createSubscription: created }) => {
        if (created) navigate(`/subscriptions/${created.id}`);
      }}
    >
      {!given && (
        <CustomerSelect
          value={customer?.id ?? null}
          onChange={(next) => {
            setCustomer(next);
            setPrice(null);
          }}
        />
      )}
      {model && (
        <PriceSelect
          pricingModelId={model}
          currency={customer.currency}
          value={priceId}
          onChange={setPrice}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label="Quantity"
          min={1}
          allowDecimal={false}
          value={quantity}
          onChange={setQuantity}
        />
        <Select
          label="Payment"
          placeholder="As the customer pays"
          data={methods}
          value={method}
          onChange={setMethod}
          clearable
          clearButtonProps={{ 'aria-label': 'As the customer pays' }}
        />
        <DateTimePicker
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
      </SimpleGrid>
    </CommandDialog>
  );
}
