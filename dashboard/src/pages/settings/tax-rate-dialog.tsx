import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import {
  type TaxRateFields,
  TaxRateInputs,
  taxRateFieldsOf,
  taxRateInputOf,
} from './tax-rate-fields.tsx';
import type { TaxRate } from './tax-rate-texts.ts';
import { CreateTaxRateDocument, UpdateTaxRateDocument } from './taxes.generated.ts';

interface Props {
  /** The rate that changes; a new one where it is absent. */
  readonly rate?: TaxRate;
  readonly onClose: () => void;
}

/** Creates a tax rate, or changes one for later invoices. */
export function TaxRateDialog({ rate, onClose }: Props) {
  const [fields, setFields] = useState<TaxRateFields>(() => taxRateFieldsOf(rate));
  const input = taxRateInputOf(fields, rate);
  const form = <TaxRateInputs fields={fields} onChange={setFields} />;
  return rate ? (
    <CommandDialog
      title={`Change the tax rate ${rate.name}`}
      onClose={onClose}
      document={UpdateTaxRateDocument}
      variables={input && { id: rate.id, version: rate.version, taxRate: input }}
      label="Save"
      done="The tax rate is changed for later invoices"
    >
      {form}
    </CommandDialog>
  ) : (
    <CommandDialog
      title="New tax rate"
      onClose={onClose}
      document={CreateTaxRateDocument}
      variables={input && { taxRate: input }}
      label="Create"
      done="The tax rate is created"
    >
      {form}
    </CommandDialog>
  );
}
