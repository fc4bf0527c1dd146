import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { CreatePriceDocument, ExampleOfPriceDocument } from '../catalog.generated.ts';
import { usePriceExample } from './price-example.tsx';
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
  const variables = price && { price: { ...price, ...owner, isDefault } };
  const example = usePriceExample({
    document: ExampleOfPriceDocument,
    variables,
    costOf: ({ createPrice: created }) => created?.price.costFor,
    fields,
    perUnit: isUsage ? (fields.eventsPerUnit ?? 1) : 1,
  });
  return (
    <CommandDialog
      title="New price"
      onClose={onClose}
      document={CreatePriceDocument}
      variables={variables}
      label="Create"
      done="The price is created"
      more={example}
    >
      <PriceInputs fields={fields} onChange={setFields} isUsage={isUsage} withDefault />
    </CommandDialog>
  );
}
