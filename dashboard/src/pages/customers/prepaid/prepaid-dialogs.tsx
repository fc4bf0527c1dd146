import { Checkbox, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { AmountInput } from '../../../parts/fields/amount-input.tsx';
import { TextField } from '../../../parts/fields/text-field.tsx';
import { Money } from '../../../parts/texts/money.tsx';
import {
  CreatePrepaidCreditDocument,
  CreatePrepaidTopUpDocument,
  RevokePrepaidCreditDocument,
  UpdatePrepaidTopUpDocument,
} from './prepaid.generated.ts';
import { noTerms, TermsFields, termsInput } from './prepaid-terms.tsx';
import type { PrepaidCredit, PrepaidTopUp } from './prepaid-types.ts';

interface NewProps {
  readonly customerId: string;
  readonly currency: string;
  readonly onClose: () => void;
}

type Source = 'purchase' | 'gift';

const sources = [
  { value: 'purchase', label: 'Bought: an invoice charges the customer' },
  { value: 'gift', label: 'Given: the customer has it at once' },
];

/** Creates prepaid credit of a customer. */
export function NewPrepaidCreditDialog({ customerId, currency, onClose }: NewProps) {
  const [source, setSource] = useState<Source>('purchase');
  const [amount, setAmount] = useState<number>();
  const [terms, setTerms] = useState(noTerms);
  const [reason, setReason] = useState('');
  return (
    <CommandDialog
      title="Buy or give prepaid credit"
      onClose={onClose}
      document={CreatePrepaidCreditDocument}
      variables={
        amount
          ? {
              prepaidCredit: {
                ...{ customerId, source, amount, currency },
                ...termsInput(terms, source === 'gift'),
                ...(reason && { reason }),
              },
            }
          : undefined
      }
      label={source === 'gift' ? 'Give' : 'Buy'}
      done={source === 'gift' ? 'The credit is given' : 'The credit is ordered'}
    >
      <Select
        label="Source"
        data={sources}
        allowDeselect={false}
        value={source}
        onChange={(value) => setSource(value as Source)}
      />
      <AmountInput label="Amount" currency={currency} value={amount} onChange={setAmount} />
      <TermsFields
        terms={terms}
        onChange={setTerms}
        currency={currency}
        isGift={source === 'gift'}
      />
      <TextField label="Reason" value={reason} onChange={setReason} />
    </CommandDialog>
  );
}

/** Revokes the rest of a gift. */
export function RevokePrepaidDialog({
  credit: { id, remaining, currency },
  onClose,
}: {
  readonly credit: PrepaidCredit;
  readonly onClose: () => void;
}) {
  return (
    <CommandDialog
      title="Revoke the credit"
      onClose={onClose}
      document={RevokePrepaidCreditDocument}
      variables={{ id }}
      label="Revoke"
      done="The credit is revoked"
    >
      <Text size="sm">
        The customer loses the <Money amount={remaining} currency={currency} /> that are left.
      </Text>
    </CommandDialog>
  );
}

/** Creates a rule that buys prepaid credit when little remains. */
export function NewPrepaidTopUpDialog({ customerId, currency, onClose }: NewProps) {
  const [amounts, setAmounts] = useState<Amounts>({});
  const { threshold, amount, mostPerMonth } = amounts;
  const isComplete = threshold !== undefined && amount && mostPerMonth;
  return (
    <CommandDialog
      title="Top up prepaid credit"
      onClose={onClose}
      document={CreatePrepaidTopUpDocument}
      variables={
        isComplete
          ? { prepaidTopUp: { customerId, currency, threshold, amount, mostPerMonth } }
          : undefined
      }
      label="Add"
      done="The top-up is added"
    >
      <Inputs amounts={amounts} onChange={setAmounts} currency={currency} />
    </CommandDialog>
  );
}

/** Changes the amounts of a top-up, stops it, or starts it again. */
export function ChangePrepaidTopUpDialog({
  topUp: before,
  onClose,
}: {
  readonly topUp: PrepaidTopUp;
  readonly onClose: () => void;
}) {
  const [amounts, setAmounts] = useState<Amounts>(before);
  const [active, setActive] = useState(before.active);
  const { id, version } = before;
  const changed = (['threshold', 'amount', 'mostPerMonth'] as const).filter(
    (name) => amounts[name] !== undefined && amounts[name] !== before[name],
  );
  const prepaidTopUp = {
    ...Object.fromEntries(changed.map((name) => [name, amounts[name]])),
    ...(active !== before.active && { active }),
  };
  const isChanged = Object.keys(prepaidTopUp).length > 0;
  return (
    <CommandDialog
      title="Change the top-up"
      onClose={onClose}
      document={UpdatePrepaidTopUpDocument}
      variables={isChanged ? { id, version, prepaidTopUp } : undefined}
      label="Change"
      done="The top-up is changed"
    >
      <Inputs amounts={amounts} onChange={setAmounts} currency={before.currency} />
      <Checkbox
        label="Active"
        checked={active}
        onChange={({ currentTarget }) => setActive(currentTarget.checked)}
      />
    </CommandDialog>
  );
}

interface Amounts {
  readonly threshold?: number | undefined;
  readonly amount?: number | undefined;
  readonly mostPerMonth?: number | undefined;
}

interface InputsProps {
  readonly amounts: Amounts;
  readonly onChange: (amounts: Amounts) => void;
  readonly currency: string;
}

const Inputs = ({ amounts, onChange, currency }: InputsProps) => (
  <>
    <AmountInput
      label="When this is left, or less"
      currency={currency}
      value={amounts.threshold}
      onChange={(threshold) => onChange({ ...amounts, threshold })}
    />
    <AmountInput
      label="Buy"
      currency={currency}
      value={amounts.amount}
      onChange={(amount) => onChange({ ...amounts, amount })}
    />
    <AmountInput
      label="At most in a month"
      currency={currency}
      value={amounts.mostPerMonth}
      onChange={(mostPerMonth) => onChange({ ...amounts, mostPerMonth })}
    />
  </>
);
