import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { OrganizationCurrencyDocument } from '../settings/organization.generated.ts';
import { CreateProductDocument } from './catalog.generated.ts';
import { type PriceFields, PriceInputs, priceInputOf } from './price-fields.tsx';

interface Props {
  readonly pricingModelId: string;
  readonly onClose: () => void;
}

/** Creates a product with its first price. */
export function NewProductDialog({ pricingModelId, onClose }: Props) {
  const [{ data }] = useQuery({ query: OrganizationCurrencyDocument });
  const [name, setName] = useState('');
  const [fields, setFields] = useState<Omit<PriceFields, 'currency'>>({
    amount: undefined,
    intervalUnit: 'month',
    slug: '',
  });
  const all = { ...fields, currency: data?.organization?.currency ?? 'USD' };
  const price = priceInputOf(all);
  const slug = slugOf(name);
  return (
    <CommandDialog
      title="New product"
      isOpen
      onClose={onClose}
      document={CreateProductDocument}
      variables={
        price && slug ? { product: { name: name.trim(), slug, pricingModelId }, price } : undefined
      }
      label="Create"
      done="The product is created"
    >
      <TextInput
        label="Name"
        dir="auto"
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <PriceInputs fields={all} onChange={setFields} />
    </CommandDialog>
  );
}

/** A slug from a name: its letters and digits in lower case, joined by hyphens. */
const slugOf = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
