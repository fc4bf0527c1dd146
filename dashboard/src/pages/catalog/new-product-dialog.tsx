import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { CreateProductDocument } from './catalog.generated.ts';
import { NameAndSlug, namedOf } from './name-and-slug.tsx';
import { emptyPrice, PriceInputs } from './price-fields.tsx';
import { priceInputOf } from './price-input.ts';

interface Props {
  readonly pricingModelId: string;
  readonly currency: string;
  readonly onClose: () => void;
}

/** Creates a product with its first price. */
export function NewProductDialog({ pricingModelId, currency, onClose }: Props) {
  const [named, setNamed] = useState({ name: '', slug: '' });
  const [description, setDescription] = useState('');
  const [fields, setFields] = useState(() => emptyPrice(currency));
  const price = priceInputOf(fields);
  const complete = namedOf(named);
  return (
    <CommandDialog
      title="New product"
      isOpen
      onClose={onClose}
      document={CreateProductDocument}
      variables={
        price && complete
          ? {
              product: {
                ...complete,
                ...(description.trim() && { description: description.trim() }),
                pricingModelId,
              },
              price,
            }
          : undefined
      }
      label="Create"
      done="The product is created"
    >
      <NameAndSlug value={named} onChange={setNamed} />
      <Textarea
        label="Description"
        dir="auto"
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <PriceInputs fields={fields} onChange={setFields} />
    </CommandDialog>
  );
}
