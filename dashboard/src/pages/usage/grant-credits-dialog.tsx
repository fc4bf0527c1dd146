import { Select } from '@mantine/core';
import { useQuery } from 'urql';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { CustomerSubscription } from '../../parts/fields/customer-subscription.tsx';
import { DayInput } from '../../parts/fields/day-input.tsx';
import { DecimalField } from '../../parts/fields/number-field.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { startOf } from '../../parts/texts/days.ts';
import { GrantCreditsDocument, MetersToGrantDocument } from './grant-credits.generated.ts';

interface Props {
  readonly onClose: () => void;
  /** The subscriptions to choose from; those of a customer to choose when absent. */
  readonly subscriptions?: readonly { readonly id: string; readonly name: string | null }[];
}

/** Grants usage credits to a subscription. */
export function GrantCreditsDialog({ onClose, subscriptions }: Props) {
  const chosen = useField<string | null>(null);
  const meter = useField<string | null>(null);
  const amount = useField('');
  const day = useField('');
  const reason = useField('');
  const [{ data }] = useQuery({ query: MetersToGrantDocument });
  const subscriptionId = chosen.value ?? subscriptions?.[0]?.id ?? null;
  const isComplete = subscriptionId && meter.value && Number(amount.value) > 0;
  const expiresAt = startOf(day.value);
  const usageCredit = isComplete && {
    subscriptionId,
    usageMeterId: meter.value,
    amount: amount.value,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(reason.value.trim() && { reason: reason.value.trim() }),
  };
  return (
    <CommandDialog
      title="Grant usage credits"
      onClose={onClose}
      document={GrantCreditsDocument}
      variables={usageCredit && { usageCredit }}
      label="Grant"
      done="The credits are granted"
    >
      {subscriptions ? (
        <Choice
          label="Subscription"
          data={subscriptions.map(({ id, name }) => ({ value: id, label: name ?? id }))}
          value={subscriptionId}
          onChange={chosen.onChange}
        />
      ) : (
        <CustomerSubscription {...chosen} />
      )}
      <Select
        label="Usage meter"
        data={data?.usageMeters.nodes.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        {...meter}
        searchable
      />
      <DecimalField label="Amount" decimals={9} {...amount} />
      <DayInput
        label="Expire on"
        description="Optional; without a day they do not expire"
        {...day}
      />
      <TextField label="Reason" description="Optional; shown with the credits" {...reason} />
    </CommandDialog>
  );
}
