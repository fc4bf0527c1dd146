import { Group } from '@mantine/core';
import { AmountInput } from '../../../parts/fields/amount-input.tsx';
import { SwitchField } from '../../../parts/fields/check-field.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import { CurrencySelect } from '../../../parts/fields/currency-select.tsx';
import { NumberField } from '../../../parts/fields/number-field.tsx';
import { TextField } from '../../../parts/fields/text-field.tsx';
import { fieldsOf } from '../../../parts/fields/use-field.ts';
import { ModelInputs } from './model-fields.tsx';
import { type ModelFields, needsAmount, perUnitModel } from './price-model.ts';

/** The fields of a price in a form. */
export interface PriceFields {
  readonly amount: number | undefined;
  readonly currency: string;
  readonly intervalUnit: string;
  readonly intervalCount: number | undefined;
  readonly trialDays: number | undefined;
  readonly eventsPerUnit: number | undefined;
  readonly slug: string;
  readonly isDefault: boolean;
  readonly model: ModelFields;
}

/** A price without an amount, charged each month. */
export const emptyPrice = (currency: string): PriceFields => ({
  amount: undefined,
  currency,
  intervalUnit: 'month',
  intervalCount: 1,
  trialDays: undefined,
  eventsPerUnit: 1,
  slug: '',
  isDefault: false,
  model: perUnitModel(),
});

const intervals = [
  { value: 'month', label: 'Months' },
  { value: 'year', label: 'Years' },
  { value: 'week', label: 'Weeks' },
  { value: 'day', label: 'Days' },
];
const once = { value: 'once', label: 'Once' };

interface Props {
  readonly fields: PriceFields;
  readonly onChange: (fields: PriceFields) => void;
  /** Whether usage has this price. */
  readonly isUsage?: boolean;
  /** Whether the price can be made the default. */
  readonly withDefault?: boolean;
}

/** Model, amount, currency, interval, trial and slug of a price. */
export function PriceInputs({ fields, onChange, isUsage = false, withDefault = false }: Props) {
  const set = (changed: Partial<PriceFields>) => onChange({ ...fields, ...changed });
  const of = fieldsOf(fields, set);
  const { currency, intervalUnit } = fields;
  const isOnce = intervalUnit === 'once';
  return (
    <>
      {!isOnce && (
        <ModelInputs
          fields={fields.model}
          currency={currency}
          isUsage={isUsage}
          onChange={(model) =>
            set({ model, ...(!needsAmount(model.model) && { amount: undefined }) })
          }
        />
      )}
      <Group grow align="flex-start">
        {(isOnce || needsAmount(fields.model.model)) && (
          <AmountInput label="Amount" currency={currency} {...of('amount')} />
        )}
        <CurrencySelect
          value={currency}
          onChange={(chosen) => set({ currency: chosen ?? currency })}
        />
      </Group>
      {isUsage ? (
        <NumberField
          label="For how much usage"
          description="A unit of the price is this much usage"
          min={1}
          {...of('eventsPerUnit')}
        />
      ) : (
        <Group grow align="flex-start">
          {!isOnce && <NumberField label="Every" min={1} {...of('intervalCount')} />}
          <Choice
            label={isOnce ? 'Charged' : 'Of'}
            data={[...intervals, once]}
            value={intervalUnit}
            onChange={(intervalUnit) =>
              set({
                intervalUnit,
                ...(intervalUnit === 'once' && { model: perUnitModel() }),
              })
            }
          />
          {!isOnce && <NumberField label="Days of trial" placeholder="None" {...of('trialDays')} />}
        </Group>
      )}
      <TextField label="Slug" description="Your own id of the price; optional" {...of('slug')} />
      {withDefault && <SwitchField label="Default price" {...of('isDefault')} />}
    </>
  );
}
