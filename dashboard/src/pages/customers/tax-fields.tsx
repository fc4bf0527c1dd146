import { Select, SimpleGrid, Stack } from '@mantine/core';
import { CheckField } from '../../parts/fields/check-field.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { DecimalField } from '../../parts/fields/number-field.tsx';
import { TaxIdsInput } from '../../parts/fields/tax-ids-input.tsx';
import { fieldsOf } from '../../parts/fields/use-field.ts';
import { taxTypes } from '../../parts/texts/tax-texts.ts';
import type { FieldsProps } from './customer-input.ts';
import { TextFields } from './customer-texts.tsx';
import { exemptions } from './exemptions.ts';

/** The tax of a customer, its exemption, and the numbers under which tax authorities know it. */
export function TaxFields({ form, onChange }: FieldsProps) {
  const of = fieldsOf(form, onChange);
  const hasRate = form.taxType && form.taxType !== 'none';
  return (
    <Stack>
      <Choice label="Exemption" data={exemptions} {...of('taxExempt')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="Tax"
          placeholder="That of the organization"
          data={taxTypes}
          {...of('taxType')}
          clearable
          clearButtonProps={{ 'aria-label': 'The tax of the organization' }}
        />
        {hasRate && (
          <DecimalField label="Rate in percent" max={100} decimals={4} {...of('taxRate')} />
        )}
      </SimpleGrid>
      {hasRate && <CheckField label="Prices include the tax" {...of('taxInclusive')} />}
      <TaxIdsInput fields={form.taxIds} onChange={(taxIds) => onChange({ taxIds })} />
      <TextFields section="tax" texts={form.texts} onChange={(texts) => onChange({ texts })} />
    </Stack>
  );
}
