import { Checkbox, Select, SimpleGrid, Stack } from '@mantine/core';
import { DecimalField } from '../../parts/fields/number-field.tsx';
import { TaxIdsInput } from '../../parts/fields/tax-ids-input.tsx';
import { taxTypes } from '../../parts/texts/tax-texts.ts';
import type { FieldsProps } from './customer-input.ts';
import { TextFields } from './customer-texts.tsx';
import { exemptions } from './exemptions.ts';

/** The tax of a customer, its exemption, and the numbers under which tax authorities know it. */
export function TaxFields({ form, onChange }: FieldsProps) {
  const hasRate = form.taxType && form.taxType !== 'none';
  return (
    <Stack>
      <Select
        label="Exemption"
        data={exemptions}
        value={form.taxExempt}
        onChange={(taxExempt) => taxExempt && onChange({ taxExempt })}
        allowDeselect={false}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="Tax"
          placeholder="That of the organization"
          data={taxTypes}
          value={form.taxType}
          onChange={(taxType) => onChange({ taxType })}
          clearable
          clearButtonProps={{ 'aria-label': 'The tax of the organization' }}
        />
        {hasRate && (
          <DecimalField
            label="Rate in percent"
            max={100}
            decimals={4}
            value={form.taxRate}
            onChange={(taxRate) => onChange({ taxRate })}
          />
        )}
      </SimpleGrid>
      {hasRate && (
        <Checkbox
          label="Prices include the tax"
          checked={form.taxInclusive}
          onChange={({ currentTarget }) => onChange({ taxInclusive: currentTarget.checked })}
        />
      )}
      <TaxIdsInput fields={form.taxIds} onChange={(taxIds) => onChange({ taxIds })} />
      <TextFields section="tax" texts={form.texts} onChange={(texts) => onChange({ texts })} />
    </Stack>
  );
}
