import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { CreatePriceDocument } from './catalog.generated.ts';
import type { Product } from './catalog-tree.tsx';
import { type PriceFields, PriceInputs, priceInputOf } from './price-fields.tsx';

/** Adds a price to a product. */
export function NewPriceDialog({
  product: { id, pricesPage },
  onClose,
}: {
  readonly product: Product;
  readonly onClose: () => void;
}) {
  const [fields, setFields] = useState<PriceFields>({
    amount: undefined,
    currency: pricesPage.nodes[0]?.currency ?? 'USD',
    intervalUnit: 'month',
    slug: '',
  });
  const price = priceInputOf(fields);
  return (
    <CommandDialog
      title="New price"
      isOpen
      onClose={onClose}
      document={CreatePriceDocument}
      variables={price && { price: { ...price, productId: id } }}
      label="Create"
      done="The price is created"
    >
      <PriceInputs fields={fields} onChange={setFields} />
    </CommandDialog>
  );
}
