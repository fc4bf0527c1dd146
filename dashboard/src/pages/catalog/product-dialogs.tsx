import { Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { UpdateProductDocument } from './catalog.generated.ts';
import type { Product } from './catalog-tree.tsx';

/** Changes the name, the description and the sale of a product. */
export function EditProductDialog({
  product,
  onClose,
}: {
  readonly product: Product;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(product.name);
  const [description, setDescription] = useState(product.description ?? '');
  const [active, setActive] = useState(product.active);
  const isChanged =
    name !== product.name ||
    description !== (product.description ?? '') ||
    active !== product.active;
  return (
    <CommandDialog
      title="Edit the product"
      isOpen
      onClose={onClose}
      document={UpdateProductDocument}
      variables={
        isChanged && name.trim()
          ? {
              id: product.id,
              version: product.version,
              product: { name: name.trim(), description, active },
            }
          : undefined
      }
      label="Save"
      done="The product is changed"
    >
      <TextInput
        label="Name"
        dir="auto"
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Textarea
        label="Description"
        dir="auto"
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <Switch
        label="For sale"
        checked={active}
        onChange={({ currentTarget }) => setActive(currentTarget.checked)}
      />
    </CommandDialog>
  );
}
