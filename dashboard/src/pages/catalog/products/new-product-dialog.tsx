import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { SwitchField } from '../../../parts/fields/check-field.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import { CreateProductDocument, ExampleOfProductDocument } from '../catalog.generated.ts';
import { NameAndSlug, namedOf } from '../name-and-slug.tsx';
import { usePriceExample } from '../prices/price-example.tsx';
import { emptyPrice, PriceInputs } from '../prices/price-fields.tsx';
import { priceInputOf } from '../prices/price-input.ts';

interface Props {
  readonly pricingModelId: string;
  readonly currency: string;
  readonly onClose: () => void;
}

/** Creates a product with its first price. */
export function NewProductDialog({ pricingModelId, currency, onClose }: Props) {
  const named = useField({ name: '', slug: '' });
  const [description, setDescription] = useState('');
  const addOn = useField(false);
  const [fields, setFields] = useState(() => emptyPrice(currency));
  const price = priceInputOf(fields);
  const complete = namedOf(named.value);
  const variables =
    price && complete
      ? {
          product: {
            ...complete,
            ...(description.trim() && { description: description.trim() }),
            pricingModelId,
            addOn: addOn.value,
          },
          price,
        }
      : undefined;
  const example = usePriceExample({
    document: ExampleOfProductDocument,
    variables,
    costOf: ({ createProduct: created }) => created?.product.defaultPrice?.costFor,
    fields,
    perUnit: 1,
  });
  return (
    <CommandDialog
      title="New product"
      onClose={onClose}
      document={CreateProductDocument}
      variables={variables}
      label="Create"
      done="The product is created"
      more={example}
    >
      <NameAndSlug {...named} />
      <Textarea
        label="Description"
        dir="auto"
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <SwitchField
        label="Add-on"
        description="It adds to a plan: the portal does not offer it as one"
        {...addOn}
      />
      <PriceInputs fields={fields} onChange={setFields} />
    </CommandDialog>
  );
}
