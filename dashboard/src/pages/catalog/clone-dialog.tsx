import { SegmentedControl, Text } from '@mantine/core';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
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
  const name = useField(`${model.name} (copy)`);
  const own = model.livemode ? ('livemode' as const) : ('testmode' as const);
  const to = useField<'livemode' | 'testmode'>(own);
  return (
    <CommandDialog
      title="Clone the pricing model"
      onClose={onClose}
      document={ClonePricingModelDocument}
      variables={name.value.trim() && { id: model.id, name: name.value.trim(), to: to.value }}
      label="Clone"
      done="The pricing model is cloned"
      onDone={({ clonePricingModel: cloned }) => {
        if (cloned && to.value === own) onCloned(cloned.pricingModel.id);
      }}
    >
      <TextField label="Name" dir="auto" data-autofocus {...name} />
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
          {...to}
        />
      </div>
    </CommandDialog>
  );
}
