import { NumberInput, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { GrantCreditsDocument, MetersToGrantDocument } from './grant-credits.generated.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly subscriptions: readonly { readonly id: string; readonly name: string | null }[];
}

/** Grants usage credits to a subscription. */
export function GrantCreditsDialog({ isOpen, onClose, subscriptions }: Props) {
  const [chosen, setSubscription] = useState<string | null>(null);
  const [meter, setMeter] = useState<string | null>(null);
  const [amount, setAmount] = useState<number | string>('');
  const [reason, setReason] = useState('');
  const [{ data }] = useQuery({ query: MetersToGrantDocument, pause: !isOpen });
  const subscriptionId = chosen ?? subscriptions[0]?.id ?? null;
  const isComplete = subscriptionId && meter && Number(amount) > 0;
  const usageCredit = isComplete && {
    subscriptionId,
    usageMeterId: meter,
    amount: String(amount),
    ...(reason && { reason }),
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
      <Select
        label="Subscription"
        data={subscriptions.map(({ id, name }) => ({ value: id, label: name ?? id }))}
        value={subscriptionId}
        onChange={setSubscription}
        allowDeselect={false}
      />
      <Select
        label="Usage meter"
        data={data?.usageMeters.nodes.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        value={meter}
        onChange={setMeter}
        searchable
      />
      <NumberInput label="Amount" min={0} value={amount} onChange={setAmount} />
      <TextInput
        label="Reason"
        description="Optional; shown with the credit"
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </CommandDialog>
  );
}
