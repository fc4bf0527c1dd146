import { Group, Radio, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { AmountInput } from '../../../parts/fields/amount-input.tsx';
import { NumberField } from '../../../parts/fields/number-field.tsx';
import { dayText } from '../../../parts/texts/days.ts';
import {
  EndCommitmentDocument,
  type OneSubscriptionQuery,
  SetCommitmentDocument,
} from '../subscription.generated.ts';

interface Props {
  readonly subscription: NonNullable<OneSubscriptionQuery['subscription']>;
  readonly onClose: () => void;
}

type Timing = 'immediately' | 'at_end_of_current_billing_period';

/** Commits the customer of a subscription to an amount in each term. */
export function CommitDialog({ subscription, onClose }: Props) {
  const { id, currency, commitment, currentBillingPeriodEnd: end } = subscription;
  const [amount, setAmount] = useState(commitment?.amount);
  const [unit, setUnit] = useState(commitment?.interval ?? subscription.interval ?? 'month');
  const [count, setCount] = useState<number | undefined>(
    commitment?.intervalCount ?? subscription.intervalCount ?? 1,
  );
  const [trueUp, setTrueUp] = useState<string>(commitment?.trueUp ?? 'at_end');
  const [counts, setCounts] = useState<string>(commitment?.counts ?? 'usage');
  const [timing, setTiming] = useState<Timing>('immediately');
  const isComplete = amount !== undefined && amount > 0 && count !== undefined;
  const terms = isComplete && {
    amount,
    interval: unit as 'month',
    intervalCount: count,
    trueUp: trueUp as 'at_end',
    counts: counts as 'usage',
  };
  return (
    <CommandDialog
      title={commitment ? 'Change the commitment' : 'Add a commitment'}
      onClose={onClose}
      document={SetCommitmentDocument}
      variables={terms ? { id, commitment: terms, timing } : undefined}
      label="Commit"
      done="The commitment applies"
    >
      <AmountInput
        label="Amount of a term"
        description="Before discounts and tax"
        currency={currency}
        value={amount}
        onChange={setAmount}
      />
      <Group grow align="flex-start">
        <NumberField
          label="Length of a term"
          description="Billing periods must fill it"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={1}
          value={count}
          onChange={setCount}
        />
        <Select
          label="Unit of the term"
          allowDeselect={false}
          data={['day', 'week', 'month', 'year']}
          value={unit}
          onChange={(typed) => setUnit((typed ?? 'month') as 'month')}
        />
      </Group>
      <Radio.Group label="The difference is charged" value={trueUp} onChange={setTrueUp}>
        <Stack gap="xs" mt="xs">
          <Radio value="at_end" label="At the end of the term" />
          <Radio
            value="each_period"
            label="With each billing period"
            description="Later usage of the term reduces it"
          />
        </Stack>
      </Radio.Group>
      <Radio.Group label="What counts" value={counts} onChange={setCounts}>
        <Stack gap="xs" mt="xs">
          <Radio value="usage" label="Usage" />
          <Radio value="all" label="Usage and the plan" />
        </Stack>
      </Radio.Group>
      <TimingInput
        value={timing}
        onChange={setTiming}
        label="First billing period"
        now="The current one"
        later={`The next one${end ? `, from ${dayText(end)}` : ''}`}
      />
    </CommandDialog>
  );
}

/** Ends the commitment of a subscription with its billing period, or at once. */
export function EndCommitmentDialog({ subscription, onClose }: Props) {
  const { id, currentBillingPeriodEnd: end } = subscription;
  const [timing, setTiming] = useState<Timing>('at_end_of_current_billing_period');
  return (
    <CommandDialog
      title="End the commitment"
      onClose={onClose}
      document={EndCommitmentDocument}
      variables={{ id, timing }}
      label="End"
      done="The commitment ends"
    >
      <TimingInput
        value={timing}
        onChange={setTiming}
        label="When"
        now="Now: the current billing period is not committed"
        later={`With the current billing period${end ? `, on ${dayText(end)}` : ''}`}
      />
    </CommandDialog>
  );
}

interface TimingProps {
  readonly label: string;
  readonly value: Timing;
  readonly onChange: (timing: Timing) => void;
  readonly now: string;
  readonly later: string;
}

const TimingInput = ({ label, value, onChange, now, later }: TimingProps) => (
  <Radio.Group label={label} value={value} onChange={(typed) => onChange(typed as Timing)}>
    <Stack gap="xs" mt="xs">
      <Radio value="immediately" label={now} />
      <Radio value="at_end_of_current_billing_period" label={later} />
    </Stack>
  </Radio.Group>
);
