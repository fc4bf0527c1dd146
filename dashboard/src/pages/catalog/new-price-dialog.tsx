import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { CreatePriceDocument } from './catalog.generated.ts';
import { emptyPrice, PriceInputs } from './price-fields.tsx';
import { priceInputOf, usagePriceInputOf } from './price-input.ts';

interface Props {
  /** The product or the usage meter of the price. */
  readonly owner: { readonly productId: string } | { readonly usageMeterId: string };
  readonly currency: string;
  readonly onClose: () => void;
}

/** Adds a price to a product or to a usage meter. */
export function NewPriceDialog({ owner, currency, onClose }: Props) {
  const [fields, setFields] = useState(() => emptyPrice(currency));
  const isUsage = 'usageMeterId' in owner;
  const price = isUsage ? usagePriceInputOf(fields) : priceInputOf(fields);
  const { isDefault } = fields;
  return (
    <CommandDialog
      title="New price"
      isOpen
      onClose={onClose}
      document={CreatePriceDocument}
      variables={price && { price: { ...price, ...owner, isDefault } }}
      label="Create"
      done="The price is created"
    >
      <PriceInputs fields={fields} onChange={setFields} isUsage={isUsage} withDefault />
    </CommandDialog>
  );
}
