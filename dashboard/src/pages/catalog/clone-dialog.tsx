import { SegmentedControl, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { ClonePricingModelDocument } from './catalog.generated.ts';
import type { Model } from './types.ts';

interface Props {
  readonly model: Model;
  readonly onClose: () => void;
  /** Receives the id of a copy in the same mode. */
  readonly onCloned: (id: string) => void;
}

/** Copies a pricing model, also to the other mode. */
export function CloneDialog({ model, onClose, onCloned }: Props) {
  const [name, setName] = useState(`${model.name} (copy)`);
  const own = model.livemode ? ('livemode' as const) : ('testmode' as const);
  const [to, setTo] = useState<'livemode' | 'testmode'>(own);
  return (
    <CommandDialog
      title="Clone the pricing model"
      onClose={onClose}
      document={ClonePricingModelDocument}
      variables={name.trim() ? { id: model.id, name: name.trim(), to } : undefined}
      label="Clone"
      done="The pricing model is cloned"
      onDone={({ clonePricingModel: cloned }) => {
        if (cloned && to === own) onCloned(cloned.pricingModel.id);
      }}
    >
      <TextInput
        label="Name"
        dir="auto"
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <div>
        <Text size="sm" fw={500} mb={4}>
          Mode of the copy
        </Text>
        <SegmentedControl
          aria-label="Mode of the copy"
          data={[
            { value: 'testmode', label: 'Test' },
            { value: 'livemode', label: 'Live' },
          ]}
          value={to}
          onChange={setTo}
        />
      </div>
    </CommandDialog>
  );
}
