import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { CustomerSelect } from '../../parts/fields/customer-select.tsx';
import { DayInput } from '../../parts/fields/day-input.tsx';
import { DecimalField } from '../../parts/fields/number-field.tsx';
import { SubscriptionSelect } from '../../parts/fields/subscription-select.tsx';
import { startOf } from '../../parts/texts/days.ts';
import { GrantCreditsDocument, MetersToGrantDocument } from './grant-credits.generated.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The subscriptions to choose from; those of a customer to choose when absent. */
  readonly subscriptions?: readonly { readonly id: string; readonly name: string | null }[];
}

/** Grants usage credits to a subscription. */
export function GrantCreditsDialog({ isOpen, onClose, subscriptions }: Props) {
  const [customerId, setCustomer] = useState<string | null>(null);
  const [chosen, setSubscription] = useState<string | null>(null);
  const [meter, setMeter] = useState<string | null>(null);
  const [amount, setAmount] = useState('');
  const [day, setDay] = useState('');
  const [reason, setReason] = useState('');
  const [{ data }] = useQuery({ query: MetersToGrantDocument, pause: !isOpen });
  const subscriptionId = chosen ?? subscriptions?.[0]?.id ?? null;
  const isComplete = subscriptionId && meter && Number(amount) > 0;
  const expiresAt = startOf(day);
  const usageCredit = isComplete && {
    subscriptionId,
    usageMeterId: meter,
    amount,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(reason.trim() && { reason: reason.trim() }),
  };
  return (
    <CommandDialog
      title="Grant usage credits"
      isOpen={isOpen}
      onClose={onClose}
      document={GrantCreditsDocument}
      variables={usageCredit ? { usageCredit } : undefined}
      label="Grant"
      done="The credits are granted"
    >
      {subscriptions ? (
        <Select
          label="Subscription"
          data={subscriptions.map(({ id, name }) => ({ value: id, label: name ?? id }))}
          value={subscriptionId}
          onChange={setSubscription}
          allowDeselect={false}
        />
      ) : (
        <>
          <CustomerSelect
            value={customerId}
            onChange={(customer) => {
              setCustomer(customer?.id ?? null);
              setSubscription(null);
            }}
          />
          <SubscriptionSelect customerId={customerId} value={chosen} onChange={setSubscription} />
        </>
      )}
      <Select
        label="Usage meter"
        data={data?.usageMeters.nodes.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        value={meter}
        onChange={setMeter}
        searchable
      />
      <DecimalField label="Amount" decimals={9} value={amount} onChange={setAmount} />
      <DayInput
        label="Expire on"
        description="Optional; without a day they do not expire"
        value={day}
        onChange={setDay}
      />
      <TextInput
        label="Reason"
        description="Optional; shown with the credits"
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </CommandDialog>
  );
}
