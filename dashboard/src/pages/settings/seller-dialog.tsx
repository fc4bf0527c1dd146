import { SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { TaxIdsInput, taxIdFieldsOf, taxIdsOf } from '../../parts/fields/tax-ids-input.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import type { TaxedOrganization } from './tax-rate-texts.ts';
import { UpdateTaxSettingsDocument } from './taxes.generated.ts';

interface Props {
  readonly organization: TaxedOrganization;
  readonly onClose: () => void;
}

const fields = [
  ['line1', 'Line 1'],
  ['line2', 'Line 2'],
  ['postal_code', 'Postal code'],
  ['city', 'City'],
  ['state', 'State or province'],
  ['country', 'Country, two letters'],
] as const;

/** The seller as invoices, credit notes and e-invoices show it. */
export function SellerDialog({ organization: given, onClose }: Props) {
  const legalName = useField(given.legalName ?? '');
  const [address, setAddress] = useState(() =>
    Object.fromEntries(fields.map(([field]) => [field, given.address?.[field] ?? ''])),
  );
  const [taxIds, setTaxIds] = useState(() => taxIdFieldsOf(given.taxIds));
  const holder = useField(given.bankAccount?.holder ?? '');
  const iban = useField(given.bankAccount?.iban ?? '');
  const bic = useField(given.bankAccount?.bic ?? '');
  const hasAddress = Object.values(address).some((text) => text.trim());
  const place = Object.fromEntries(
    fields.map(([field]) => [field, address[field]?.trim() || null]),
  );
  return (
    <CommandDialog
      title="Edit the seller on documents"
      onClose={onClose}
      document={UpdateTaxSettingsDocument}
      variables={{
        version: given.version,
        organization: {
          legalName: legalName.value.trim() || null,
          address: hasAddress ? { name: given.address?.name ?? null, ...place } : null,
          taxIds: taxIdsOf(taxIds),
          bankAccount: iban.value.trim()
            ? {
                holder: holder.value.trim() || null,
                iban: iban.value.trim(),
                bic: bic.value.trim() || null,
              }
            : null,
        },
      }}
      label="Save"
      done="Later documents show the seller like this"
    >
      <TextField label="Legal name" dir="auto" {...legalName} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {fields.map(([field, label]) => (
          <TextField
            key={field}
            label={label}
            dir="auto"
            {...(field === 'country' && { maxLength: 2, placeholder: 'DE' })}
            value={address[field] ?? ''}
            onChange={(value) =>
              setAddress({ ...address, [field]: field === 'country' ? value.toUpperCase() : value })
            }
          />
        ))}
      </SimpleGrid>
      <TaxIdsInput fields={taxIds} onChange={setTaxIds} />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TextField label="IBAN" placeholder="DE89 3704 0044 0532 0130 00" {...iban} />
        <TextField label="BIC" {...bic} />
        <TextField label="Holder" dir="auto" {...holder} />
      </SimpleGrid>
    </CommandDialog>
  );
}
