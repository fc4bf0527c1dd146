import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { CreatePricingModelDocument } from './catalog.generated.ts';

interface Props {
  readonly onClose: () => void;
  readonly onCreated: (id: string) => void;
}

/** Creates a pricing model with a free product. */
export function NewPricingModelDialog({ onClose, onCreated }: Props) {
  const [name, setName] = useState('');
  return (
    <CommandDialog
      title="New pricing model"
      onClose={onClose}
      document={CreatePricingModelDocument}
      variables={name.trim() ? { pricingModel: { name: name.trim() } } : undefined}
      label="Create"
      done="The pricing model is created"
      onDone={({ createPricingModel: created }) => created && onCreated(created.pricingModel.id)}
    >
      <TextInput
        label="Name"
        dir="auto"
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </CommandDialog>
  );
}
