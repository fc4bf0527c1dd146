import { Checkbox, NumberInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { FieldsProps } from './customer-fields.tsx';
import { taxIdTypes, taxTypes } from './tax-texts.ts';

/** The tax of a customer and the number under which tax authorities know it. */
export function TaxFields({ form, onChange }: FieldsProps) {
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="Tax"
          placeholder="That of the organization"
          data={taxTypes}
          value={form.taxType}
          onChange={(taxType) => onChange({ taxType: taxType as 'vat' | null })}
          clearable
          clearButtonProps={{ 'aria-label': 'The tax of the organization' }}
        />
        {form.taxType && form.taxType !== 'none' && (
          <NumberInput
            label="Rate in percent"
            min={0}
            max={100}
            decimalScale={4}
            value={form.taxRate}
            onChange={(taxRate) => onChange({ taxRate })}
          />
        )}
      </SimpleGrid>
      {form.taxType && form.taxType !== 'none' && (
        <Checkbox
          label="Prices include the tax"
          checked={form.taxInclusive}
          onChange={({ currentTarget }) => onChange({ taxInclusive: currentTarget.checked })}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="Kind of tax number"
          data={taxIdTypes}
          value={form.taxIdType}
          onChange={(taxIdType) => onChange({ taxIdType: taxIdType as 'eu_vat' })}
          allowDeselect={false}
          searchable
        />
        <TextInput
          label="Tax number"
          placeholder="DE123456788"
          value={form.taxId}
          onChange={({ currentTarget }) => onChange({ taxId: currentTarget.value })}
        />
      </SimpleGrid>
    </Stack>
  );
}
