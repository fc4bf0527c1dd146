import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { UpdatePricingModelDocument } from './catalog.generated.ts';
import type { Model } from './types.ts';

interface Props {
  readonly model: Model;
  readonly onClose: () => void;
}

/** Changes the name of a pricing model. */
export function RenameDialog({ model: { id, version, name: before }, onClose }: Props) {
  const [typed, setName] = useState(before);
  const name = typed.trim();
  return (
    <CommandDialog
      title="Rename the pricing model"
      onClose={onClose}
      document={UpdatePricingModelDocument}
      variables={name && name !== before ? { id, version, pricingModel: { name } } : undefined}
      label="Rename"
      done="The pricing model is renamed"
    >
      <TextInput
        label="Name"
        dir="auto"
        data-autofocus
        value={typed}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </CommandDialog>
  );
}
