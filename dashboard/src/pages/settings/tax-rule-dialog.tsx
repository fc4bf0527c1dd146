import { Group, Select, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { DecimalField } from '../../parts/fields/number-field.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { taxTypes } from '../../parts/texts/tax-texts.ts';
import type { TaxedOrganization } from './tax-rate-texts.ts';
import { UpdateTaxSettingsDocument } from './taxes.generated.ts';

interface Props {
  readonly organization: TaxedOrganization;
  readonly onClose: () => void;
}

const engines: { value: TaxedOrganization['taxEngine']; label: string }[] = [
  { value: 'rule', label: 'By one rule for all customers' },
  { value: 'rates', label: 'By the place of the customer, from the tax rates' },
  { value: 'service', label: 'By a tax service of yours' },
];

/** The engine, the rule of the organization, and whether prices include the taxes. */
export function TaxRuleDialog({ organization: given, onClose }: Props) {
  const [engine, setEngine] = useState(given.taxEngine);
  const [taxType, setTaxType] = useState(given.taxType);
  const [rate, setRate] = useState(given.taxRatePercentage ?? '');
  const [inclusive, setInclusive] = useState(given.taxInclusive);
  const [url, setUrl] = useState(given.taxServiceUrl ?? '');
  const [secret, setSecret] = useState('');
  const isService = engine === 'service';
  const hasRate = taxType !== null && taxType !== 'none';
  const isComplete = isService ? url.trim() !== '' : !hasRate || rate !== '';
  return (
    <CommandDialog
      title="Edit how taxes are computed"
      onClose={onClose}
      document={UpdateTaxSettingsDocument}
      variables={
        isComplete
          ? {
              version: given.version,
              organization: {
                taxEngine: engine,
                ...(!isService && { taxType, taxRatePercentage: hasRate ? rate : null }),
                taxInclusive: inclusive,
                ...(isService && { taxServiceUrl: url.trim() }),
                ...(isService && secret.trim() && { taxServiceSecret: secret.trim() }),
              },
            }
          : undefined
      }
      label="Save"
      done="Later invoices follow the new settings"
    >
      <Select
        label="Taxes are computed"
        data={engines}
        value={engine}
        onChange={(value) => value && setEngine(value)}
        allowDeselect={false}
      />
      {isService ? (
        <>
          <TextField
            label="Address of the service"
            placeholder="https://taxes.example.com/quotes"
            value={url}
            onChange={setUrl}
          />
          <TextField
            label="Secret that signs the requests"
            description={
              given.taxServiceUrl ? 'The present one stays where it is empty' : 'whsec_ and base64'
            }
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="off"
            value={secret}
            onChange={setSecret}
          />
        </>
      ) : (
        <Group grow align="flex-start">
          <Select
            label={engine === 'rates' ? 'Tax where no rate applies' : 'Tax'}
            placeholder="No tax"
            clearable
            clearButtonProps={{ 'aria-label': 'No tax' }}
            data={taxTypes}
            value={taxType}
            onChange={setTaxType}
          />
          <DecimalField
            label="Percent"
            max={100}
            decimals={4}
            value={rate}
            onChange={setRate}
            disabled={!hasRate}
          />
        </Group>
      )}
      <Switch
        label="Prices include the tax"
        checked={inclusive}
        onChange={({ currentTarget }) => setInclusive(currentTarget.checked)}
      />
      <Text size="sm" c="dimmed">
        Present invoices keep their taxes.
      </Text>
    </CommandDialog>
  );
}
