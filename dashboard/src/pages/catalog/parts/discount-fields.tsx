import { Group } from '@mantine/core';
import { AmountInput } from '../../../parts/fields/amount-input.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import { CurrencySelect } from '../../../parts/fields/currency-select.tsx';
import { DayInput } from '../../../parts/fields/day-input.tsx';
import { NumberField } from '../../../parts/fields/number-field.tsx';
import { TextField } from '../../../parts/fields/text-field.tsx';
import { fieldsOf } from '../../../parts/fields/use-field.ts';
import { startOf } from '../../../parts/texts/days.ts';
import type { Discount } from '../types.ts';

/** The fields of a discount in a form. */
export interface DiscountFields {
  readonly name: string;
  readonly code: string;
  readonly amountType: Discount['amountType'];
  /** A percentage, or minor units of the currency. */
  readonly amount: number | undefined;
  readonly currency: string;
  readonly duration: Discount['duration'];
  readonly payments: number | undefined;
  readonly months: number | undefined;
  readonly limit: number | undefined;
  readonly limitPerCustomer: number | undefined;
  readonly lastDay: string;
}

const durations = {
  once: 'One payment',
  forever: 'All payments',
  number_of_payments: 'A number of payments',
  number_of_months: 'Some months',
} satisfies Partial<Record<Discount['duration'], string>>;

interface Props {
  readonly fields: DiscountFields;
  readonly onChange: (fields: DiscountFields) => void;
}

/** The code of a discount, what it reduces, and until when. */
export function DiscountInputs({ fields, onChange }: Props) {
  const set = (changed: Partial<DiscountFields>) => onChange({ ...fields, ...changed });
  const of = fieldsOf(fields, set);
  const { amountType, currency, duration } = fields;
  return (
    <>
      <Group grow align="flex-start">
        <TextField label="Name" dir="auto" data-autofocus {...of('name')} />
        <TextField
          label="Code"
          placeholder="WELCOME-20"
          value={fields.code}
          onChange={(text) => set({ code: text.toUpperCase() })}
        />
      </Group>
      <Group grow align="flex-start">
        <Choice
          label="It is"
          data={{ percent: 'A percentage', fixed: 'An amount of money' }}
          value={amountType}
          onChange={(amountType) => set({ amountType, amount: undefined })}
        />
        {amountType === 'percent' ? (
          <NumberField label="Percentage" max={100} decimals={4} unit="%" {...of('amount')} />
        ) : (
          <AmountInput label="Amount" currency={currency} {...of('amount')} />
        )}
      </Group>
      {amountType === 'fixed' && (
        <CurrencySelect
          value={currency}
          onChange={(chosen) => set({ currency: chosen ?? currency })}
        />
      )}
      <Group grow align="flex-start">
        <Choice label="It reduces" data={durations} {...of('duration')} />
        {duration === 'number_of_payments' && (
          <NumberField label="Payments" min={1} {...of('payments')} />
        )}
        {duration === 'number_of_months' && (
          <NumberField
            label="Months"
            description="Billing periods that begin within them"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            min={1}
            max={1_200}
            {...of('months')}
          />
        )}
      </Group>
      <Group grow align="flex-start">
        <NumberField label="Most redemptions" description="Optional" min={1} {...of('limit')} />
        <NumberField
          label="Most of each customer"
          description="Optional"
          min={1}
          {...of('limitPerCustomer')}
        />
      </Group>
      <DayInput
        label="Ends on"
        description="Optional; it cannot be redeemed from this day on"
        {...of('lastDay')}
      />
    </>
  );
}

/** The input of a discount; undefined while it is incomplete. */
export function discountInputOf(fields: DiscountFields) {
  const { amountType, amount, currency, duration } = fields;
  const [name, code] = [fields.name.trim(), fields.code.trim()];
  const { payments, months, limit, limitPerCustomer } = fields;
  const isCounted = duration === 'number_of_payments';
  const hasMonths = duration === 'number_of_months';
  if (!name || !code || amount === undefined || amount <= 0) return undefined;
  if (isCounted && payments === undefined) return undefined;
  if (hasMonths && months === undefined) return undefined;
  const expiresAt = startOf(fields.lastDay);
  return {
    name,
    code,
    amountType,
    amount,
    duration,
    ...(amountType === 'fixed' && { currency }),
    ...(isCounted && { numberOfPayments: payments }),
    ...(hasMonths && { numberOfMonths: months }),
    ...(limit && { redemptionLimit: limit }),
    ...(limitPerCustomer && { redemptionLimitPerCustomer: limitPerCustomer }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}
