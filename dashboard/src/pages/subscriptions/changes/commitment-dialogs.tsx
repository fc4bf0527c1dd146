import { Group } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { AmountInput } from '../../../parts/fields/amount-input.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import { NumberField } from '../../../parts/fields/number-field.tsx';
import { Radios } from '../../../parts/fields/radios.tsx';
import { type Field, useField } from '../../../parts/fields/use-field.ts';
import { dayText } from '../../../parts/texts/days.ts';
import { EndCommitmentDocument, SetCommitmentDocument } from '../subscription.generated.ts';
import type { SubscriptionDialogProps } from '../subscription.ts';

type Timing = 'immediately' | 'at_end_of_current_billing_period';

/** Commits the customer of a subscription to an amount in each term. */
export function CommitDialog({ subscription, onClose }: SubscriptionDialogProps) {
  const { id, currency, commitment, currentBillingPeriodEnd: end } = subscription;
  const amount = useField(commitment?.amount);
  const [unit, setUnit] = useState(commitment?.interval ?? subscription.interval ?? 'month');
  const count = useField<number | undefined>(
    commitment?.intervalCount ?? subscription.intervalCount ?? 1,
  );
  const trueUp = useField<string>(commitment?.trueUp ?? 'at_end');
  const counts = useField<string>(commitment?.counts ?? 'usage');
  const timing = useField<Timing>('immediately');
  const isComplete = amount.value !== undefined && amount.value > 0 && count.value !== undefined;
  const terms = isComplete && {
    amount: amount.value,
    interval: unit as 'month',
    intervalCount: count.value,
    trueUp: trueUp.value as 'at_end',
    counts: counts.value as 'usage',
  };
  return (
    <CommandDialog
      title={commitment ? 'Change the commitment' : 'Add a commitment'}
      onClose={onClose}
      document={SetCommitmentDocument}
      variables={terms && { id, commitment: terms, timing: timing.value }}
      label="Commit"
      done="The commitment applies"
    >
      <AmountInput
        label="Amount of a term"
        description="Before discounts and tax"
        currency={currency}
        {...amount}
      />
      <Group grow align="flex-start">
        <NumberField
          label="Length of a term"
          description="Billing periods must fill it"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={1}
          {...count}
        />
        <Choice
          label="Unit of the term"
          data={['day', 'week', 'month', 'year']}
          value={unit}
          onChange={(typed) => setUnit(typed as 'month')}
        />
      </Group>
      <Radios
        label="The difference is charged"
        data={[
          { value: 'at_end', label: 'At the end of the term' },
          {
            value: 'each_period',
            label: 'With each billing period',
            description: 'Later usage of the term reduces it',
          },
        ]}
        {...trueUp}
      />
      <Radios
        label="What counts"
        data={[
          { value: 'usage', label: 'Usage' },
          { value: 'all', label: 'Usage and the plan' },
        ]}
        {...counts}
      />
      <TimingInput
        {...timing}
        label="First billing period"
        now="The current one"
        later={`The next one${end ? `, from ${dayText(end)}` : ''}`}
      />
    </CommandDialog>
  );
}

/** Ends the commitment of a subscription with its billing period, or at once. */
export function EndCommitmentDialog({ subscription, onClose }: SubscriptionDialogProps) {
  const { id, currentBillingPeriodEnd: end } = subscription;
  const timing = useField<Timing>('at_end_of_current_billing_period');
  return (
    <CommandDialog
      title="End the commitment"
      onClose={onClose}
      document={EndCommitmentDocument}
      variables={{ id, timing: timing.value }}
      label="End"
      done="The commitment ends"
    >
      <TimingInput
        {...timing}
        label="When"
        now="Now: the current billing period is not committed"
        later={`With the current billing period${end ? `, on ${dayText(end)}` : ''}`}
      />
    </CommandDialog>
  );
}

interface TimingProps extends Field<Timing> {
  readonly label: string;
  readonly now: string;
  readonly later: string;
}

const TimingInput = ({ now, later, ...props }: TimingProps) => (
  <Radios
    data={[
      { value: 'immediately', label: now },
      { value: 'at_end_of_current_billing_period', label: later },
    ]}
    {...props}
  />
);
