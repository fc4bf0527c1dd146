import { useState } from 'react';
import { SaveDialog } from '../../commands/save-dialog.tsx';
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
  return (
    <SaveDialog
      name="tax rate"
      title={`Change the tax rate ${rate?.name}`}
      done="The tax rate is changed for later invoices"
      onClose={onClose}
      create={[CreateTaxRateDocument, input && { taxRate: input }]}
      update={
        rate && [
          UpdateTaxRateDocument,
          input && { id: rate.id, version: rate.version, taxRate: input },
        ]
      }
    >
      <TaxRateInputs fields={fields} onChange={setFields} />
    </SaveDialog>
  );
}
