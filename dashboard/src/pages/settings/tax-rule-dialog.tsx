import { Group, Select } from '@mantine/core';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { SwitchField } from '../../parts/fields/check-field.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { DecimalField } from '../../parts/fields/number-field.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { Dimmed } from '../../parts/texts/small-texts.tsx';
import { taxTypes } from '../../parts/texts/tax-texts.ts';
import type { TaxedOrganization } from './tax-rate-texts.ts';
import { UpdateTaxSettingsDocument } from './taxes.generated.ts';

interface Props {
  readonly organization: TaxedOrganization;
  readonly onClose: () => void;
}

const engines = {
  rule: 'By one rule for all customers',
  rates: 'By the place of the customer, from the tax rates',
  service: 'By a tax service of yours',
} satisfies Partial<Record<TaxedOrganization['taxEngine'], string>>;

/** The engine, the rule of the organization, and whether prices include the taxes. */
export function TaxRuleDialog({ organization: given, onClose }: Props) {
  const engine = useField(given.taxEngine);
  const taxType = useField(given.taxType);
  const rate = useField(given.taxRatePercentage ?? '');
  const inclusive = useField(given.taxInclusive);
  const url = useField(given.taxServiceUrl ?? '');
  const secret = useField('');
  const isService = engine.value === 'service';
  const hasRate = taxType.value !== null && taxType.value !== 'none';
  const isComplete = isService ? url.value.trim() !== '' : !hasRate || rate.value !== '';
  const organization = isComplete && {
    taxEngine: engine.value,
    ...(!isService && {
      taxType: taxType.value,
      taxRatePercentage: hasRate ? rate.value : null,
    }),
    taxInclusive: inclusive.value,
    ...(isService && { taxServiceUrl: url.value.trim() }),
    ...(isService && secret.value.trim() && { taxServiceSecret: secret.value.trim() }),
  };
  return (
    <CommandDialog
      title="Edit how taxes are computed"
      onClose={onClose}
      document={UpdateTaxSettingsDocument}
      variables={organization && { version: given.version, organization }}
      label="Save"
      done="Later invoices follow the new settings"
    >
      <Choice label="Taxes are computed" data={engines} {...engine} />
      {isService ? (
        <>
          <TextField
            label="Address of the service"
            placeholder="https://taxes.example.com/quotes"
            {...url}
          />
          <TextField
            label="Secret that signs the requests"
            description={
              given.taxServiceUrl ? 'The present one stays where it is empty' : 'whsec_ and base64'
            }
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="off"
            {...secret}
          />
        </>
      ) : (
        <Group grow align="flex-start">
          <Select
            label={engine.value === 'rates' ? 'Tax where no rate applies' : 'Tax'}
            placeholder="No tax"
            clearable
            clearButtonProps={{ 'aria-label': 'No tax' }}
            data={taxTypes}
            {...taxType}
          />
          <DecimalField label="Percent" max={100} decimals={4} {...rate} disabled={!hasRate} />
        </Group>
      )}
      <SwitchField label="Prices include the tax" {...inclusive} />
      <Dimmed>Present invoices keep their taxes.</Dimmed>
    </CommandDialog>
  );
}
