import { Group } from '@mantine/core';
import { AmountInput } from '../../../parts/fields/amount-input.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import { DecimalField, NumberField } from '../../../parts/fields/number-field.tsx';
import { fieldsOf } from '../../../parts/fields/use-field.ts';
import { MatrixInput } from './matrix-input.tsx';
import { hasTiers, type ModelFields, withModel } from './price-model.ts';
import { TiersInput } from './tiers-input.tsx';

const models = [
  { value: 'per_unit', label: 'Each unit costs the same' },
  { value: 'flat', label: 'Any quantity costs the same' },
  { value: 'graduated', label: 'Graduated: each unit costs the price of its tier' },
  { value: 'volume', label: 'Volume: all units cost the price of the last tier' },
  { value: 'stairstep', label: 'Steps: the quantity costs the amount of its step' },
  { value: 'package', label: 'Packages: each started package costs the amount' },
] satisfies { value: ModelFields['model']; label: string }[];

const usageModels = [
  { value: 'percentage', label: 'Percentage of the usage, which is an amount' },
  { value: 'matrix', label: 'Each unit costs the price of its event’s properties' },
] satisfies { value: ModelFields['model']; label: string }[];

interface Props {
  readonly fields: ModelFields;
  readonly currency: string;
  readonly isUsage: boolean;
  readonly onChange: (fields: ModelFields) => void;
}

/** The model of a price, and the fields that it needs. */
export function ModelInputs({ fields, currency, isUsage, onChange }: Props) {
  const set = (changes: Partial<ModelFields>) => onChange({ ...fields, ...changes });
  const of = fieldsOf(fields, set);
  const { model } = fields;
  return (
    <>
      <Choice
        label="Model"
        data={isUsage ? [...models, ...usageModels] : models}
        value={model}
        onChange={(value) => onChange(withModel(fields, value))}
      />
      {hasTiers(model) && (
        <TiersInput
          model={model}
          tiers={fields.tiers}
          currency={currency}
          onChange={(tiers) => set({ tiers })}
        />
      )}
      {model === 'package' && (
        <NumberField label="Units of a package" min={1} {...of('packageSize')} />
      )}
      {model === 'percentage' && (
        <Group grow align="flex-start">
          <DecimalField label="Percentage" decimals={4} unit="%" {...of('percentage')} />
          <AmountInput label="Fee of each event" currency={currency} {...of('fixedFee')} />
        </Group>
      )}
      {model === 'matrix' && <MatrixInput fields={fields} currency={currency} onChange={set} />}
      <Limits {...{ fields, currency, set }} />
    </>
  );
}

interface LimitsProps {
  readonly fields: ModelFields;
  readonly currency: string;
  readonly set: (changes: Partial<ModelFields>) => void;
}

const Limits = ({ fields, currency, set }: LimitsProps) => (
  <Group grow align="flex-start">
    {fields.model !== 'matrix' && (
      <NumberField
        label="Free units"
        placeholder="None"
        value={fields.freeUnits}
        onChange={(freeUnits) => set({ freeUnits })}
      />
    )}
    <AmountInput
      label="At least"
      currency={currency}
      value={fields.minimumAmount}
      onChange={(minimumAmount) => set({ minimumAmount })}
    />
    <AmountInput
      label="At most"
      currency={currency}
      value={fields.maximumAmount}
      onChange={(maximumAmount) => set({ maximumAmount })}
    />
  </Group>
);
