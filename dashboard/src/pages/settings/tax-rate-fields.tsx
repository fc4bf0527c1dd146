import { Accordion, Group, Select, SimpleGrid, Textarea } from '@mantine/core';
import { SwitchField } from '../../parts/fields/check-field.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { DayInput } from '../../parts/fields/day-input.tsx';
import { DecimalField } from '../../parts/fields/number-field.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { fieldsOf } from '../../parts/fields/use-field.ts';
import { dayOf, startOf } from '../../parts/texts/days.ts';
import { taxTypes } from '../../parts/texts/tax-texts.ts';
import type { TaxRate } from './tax-rate-texts.ts';

/** The fields of a tax rate in a form. */
export interface TaxRateFields {
  readonly name: string;
  readonly taxType: TaxRate['taxType'];
  readonly percent: string;
  readonly country: string;
  readonly state: string;
  readonly postalPrefix: string;
  readonly taxCode: string;
  readonly customerKind: TaxRate['customerKind'];
  readonly compound: boolean;
  readonly category: TaxRate['category'] | null;
  readonly reason: string;
  readonly validFrom: string;
  readonly validUntil: string;
}

/** The form of a rate; that of a new one without a rate. */
export const taxRateFieldsOf = (rate?: TaxRate): TaxRateFields => ({
  name: rate?.name ?? '',
  taxType: rate?.taxType ?? 'vat',
  percent: rate?.ratePercentage ?? '',
  country: rate?.country ?? '',
  state: rate?.state ?? '',
  postalPrefix: rate?.postalPrefix ?? '',
  taxCode: rate?.taxCode ?? '',
  customerKind: rate?.customerKind ?? 'any',
  compound: rate?.compound ?? false,
  category: rate?.category ?? null,
  reason: rate?.reason ?? '',
  validFrom: dayOf(rate?.validFrom),
  validUntil: dayOf(rate?.validUntil),
});

/**
 * The input of the fields; undefined while they are incomplete. The days of a rate that has some are only sent where they
 * change, since its instants may be within a day.
 */
export function taxRateInputOf(fields: TaxRateFields, rate?: TaxRate) {
  const { taxType, percent, customerKind, compound, category } = fields;
  const [name, country] = [fields.name.trim(), fields.country.trim()];
  if (!name || country.length !== 2 || percent === '') return undefined;
  const isTaxed = Number(percent) > 0;
  return {
    ...{ name, taxType, country, customerKind, compound },
    ratePercentage: percent,
    state: fields.state.trim() || null,
    postalPrefix: fields.postalPrefix.trim() || null,
    taxCode: fields.taxCode.trim() || null,
    category: isTaxed ? ('S' as const) : category === 'S' ? null : category,
    reason: isTaxed ? null : fields.reason.trim() || null,
    ...(fields.validFrom !== dayOf(rate?.validFrom) && {
      validFrom: startOf(fields.validFrom) ?? null,
    }),
    ...(fields.validUntil !== dayOf(rate?.validUntil) && {
      validUntil: startOf(fields.validUntil) ?? null,
    }),
  };
}

const kinds = {
  any: 'All customers',
  business: 'Those with a tax number',
  consumer: 'Those without a tax number',
} satisfies Partial<Record<TaxRate['customerKind'], string>>;

const untaxed: { value: TaxRate['category']; label: string }[] = [
  { value: 'Z', label: 'Z: taxed at 0 %' },
  { value: 'E', label: 'E: exempt' },
  { value: 'AE', label: 'AE: reverse charge' },
  { value: 'G', label: 'G: export' },
  { value: 'O', label: 'O: not subject to tax' },
];

interface Props {
  readonly fields: TaxRateFields;
  readonly onChange: (fields: TaxRateFields) => void;
}

/** The tax, its place, and in a section that opens, what narrows it. */
export function TaxRateInputs({ fields, onChange }: Props) {
  const set = (changed: Partial<TaxRateFields>) => onChange({ ...fields, ...changed });
  const of = fieldsOf(fields, set);
  const isUntaxed = fields.percent !== '' && Number(fields.percent) === 0;
  const text = (
    name: 'country' | 'name' | 'postalPrefix' | 'state' | 'taxCode',
    label: string,
    placeholder?: string,
  ) => (
    <TextField
      label={label}
      placeholder={placeholder}
      dir="auto"
      value={fields[name]}
      onChange={(text) => set({ [name]: text })}
    />
  );
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {text('name', 'Name on documents', 'GST')}
        <Choice
          label="Kind of tax"
          data={taxTypes.filter(({ value }) => value !== 'none')}
          {...of('taxType')}
          searchable
        />
        <DecimalField label="Percent" max={100} decimals={4} {...of('percent')} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TextField
          label="Country, two letters"
          placeholder="CA"
          maxLength={2}
          value={fields.country}
          onChange={(text) => set({ country: text.toUpperCase() })}
        />
        {text('state', 'State or province', 'All of it')}
        {text('postalPrefix', 'Postal codes from', 'All of them')}
      </SimpleGrid>
      <Accordion variant="separated">
        <Accordion.Item value="more">
          <Accordion.Control>Products, customers and validity</Accordion.Control>
          <Accordion.Panel>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              {text('taxCode', 'Tax code of products', 'All products')}
              <Choice label="Customers" data={kinds} {...of('customerKind')} />
              <DayInput label="First day" description="Optional" {...of('validFrom')} />
              <DayInput label="First day without it" description="Optional" {...of('validUntil')} />
            </SimpleGrid>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
      <Group>
        <SwitchField label="Compound: its base includes the other taxes" {...of('compound')} />
      </Group>
      {isUntaxed && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Select
            label="VAT category"
            placeholder="Z: taxed at 0 %"
            data={untaxed}
            value={fields.category === 'S' ? null : fields.category}
            onChange={(category) => set({ category })}
          />
          <Textarea
            label="Reason on documents"
            dir="auto"
            autosize
            value={fields.reason}
            onChange={({ currentTarget }) => set({ reason: currentTarget.value })}
          />
        </SimpleGrid>
      )}
    </>
  );
}
