import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { AmountInput } from '../../../parts/fields/amount-input.tsx';
import { CheckField } from '../../../parts/fields/check-field.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import { TextField } from '../../../parts/fields/text-field.tsx';
import { fieldsOf, useField } from '../../../parts/fields/use-field.ts';
import {
  CreatePrepaidCreditDocument,
  CreatePrepaidTopUpDocument,
  UpdatePrepaidTopUpDocument,
} from './prepaid.generated.ts';
import { noTerms, TermsFields, termsInput } from './prepaid-terms.tsx';
import type { PrepaidTopUp } from './prepaid-types.ts';

interface NewProps {
  readonly customerId: string;
  readonly currency: string;
  readonly onClose: () => void;
}

type Source = 'purchase' | 'gift';

const sources = {
  purchase: 'Bought: an invoice charges the customer',
  gift: 'Given: the customer has it at once',
} as const;

/** Creates prepaid credit of a customer. */
export function NewPrepaidCreditDialog({ customerId, currency, onClose }: NewProps) {
  const source = useField<Source>('purchase');
  const amount = useField<number>();
  const [terms, setTerms] = useState(noTerms);
  const reason = useField('');
  return (
    <CommandDialog
      title="Buy or give prepaid credit"
      onClose={onClose}
      document={CreatePrepaidCreditDocument}
      variables={
        amount.value && {
          prepaidCredit: {
            ...{ customerId, source: source.value, amount: amount.value, currency },
            ...termsInput(terms, source.value === 'gift'),
            ...(reason.value && { reason: reason.value }),
          },
        }
      }
      label={source.value === 'gift' ? 'Give' : 'Buy'}
      done={source.value === 'gift' ? 'The credit is given' : 'The credit is ordered'}
    >
      <Choice label="Source" data={sources} {...source} />
      <AmountInput label="Amount" currency={currency} {...amount} />
      <TermsFields
        terms={terms}
        onChange={setTerms}
        currency={currency}
        isGift={source.value === 'gift'}
      />
      <TextField label="Reason" {...reason} />
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
        isComplete && { prepaidTopUp: { customerId, currency, threshold, amount, mostPerMonth } }
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
  const active = useField(before.active);
  const { id, version } = before;
  const changed = (['threshold', 'amount', 'mostPerMonth'] as const).filter(
    (name) => amounts[name] !== undefined && amounts[name] !== before[name],
  );
  const prepaidTopUp = {
    ...Object.fromEntries(changed.map((name) => [name, amounts[name]])),
    ...(active.value !== before.active && { active: active.value }),
  };
  const isChanged = Object.keys(prepaidTopUp).length > 0;
  return (
    <CommandDialog
      title="Change the top-up"
      onClose={onClose}
      document={UpdatePrepaidTopUpDocument}
      variables={isChanged && { id, version, prepaidTopUp }}
      label="Change"
      done="The top-up is changed"
    >
      <Inputs amounts={amounts} onChange={setAmounts} currency={before.currency} />
      <CheckField label="Active" {...active} />
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

const Inputs = ({ amounts, onChange, currency }: InputsProps) => {
  const of = fieldsOf(amounts, (changes) => onChange({ ...amounts, ...changes }));
  return (
    <>
      <AmountInput label="When this is left, or less" currency={currency} {...of('threshold')} />
      <AmountInput label="Buy" currency={currency} {...of('amount')} />
      <AmountInput label="At most in a month" currency={currency} {...of('mostPerMonth')} />
    </>
  );
};
