import { NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useQuery } from 'urql';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { PriceSelect } from '../../parts/price-select.tsx';
import { CustomerModelDocument, SubscribeDocument } from './subscribe.generated.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly customerId: string;
  readonly currency: string | null;
}

const methods = [
  { value: 'charge_automatically', label: 'Charge the payment method' },
  { value: 'send_invoice', label: 'Send invoices' },
];

/** Subscribes a customer to a price. */
export function NewSubscriptionDialog({ isOpen, onClose, customerId, currency }: Props) {
  const navigate = useNavigate();
  const [priceId, setPrice] = useState<string | null>(null);
  const [quantity, setQuantity] = useState<number | string>(1);
  const [method, setMethod] = useState<string | null>('charge_automatically');
  const [{ data }] = useQuery({
    query: CustomerModelDocument,
    variables: { id: customerId },
    pause: !isOpen,
  });
  const model = data?.customer?.pricingModelId;
  return (
    <CommandDialog
      title="New subscription"
      isOpen={isOpen}
      onClose={onClose}
      document={SubscribeDocument}
      variables={
        priceId && Number(quantity) > 0
          ? {
              customerId,
              priceId,
              quantity: Number(quantity),
              collectionMethod: method as 'send_invoice',
            }
          : undefined
      }
      label="Subscribe"
      done="The customer is subscribed"
      onDone={({ createSubscription: created }) => {
        if (created) navigate(`/subscriptions/${created.id}`);
      }}
    >
      {model && (
        <PriceSelect
          pricingModelId={model}
          currency={currency}
          value={priceId}
          onChange={setPrice}
        />
      )}
      <NumberInput
        label="Quantity"
        min={1}
        allowDecimal={false}
        value={quantity}
        onChange={setQuantity}
      />
      <Select
        label="Payment"
        data={methods}
        value={method}
        onChange={setMethod}
        allowDeselect={false}
      />
    </CommandDialog>
  );
}
