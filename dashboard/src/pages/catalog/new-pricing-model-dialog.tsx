import { CommandDialog } from '../../commands/command-dialog.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { CreatePricingModelDocument } from './catalog.generated.ts';

interface Props {
  readonly onClose: () => void;
  readonly onCreated: (id: string) => void;
}

/** Creates a pricing model with a free product. */
export function NewPricingModelDialog({ onClose, onCreated }: Props) {
  const name = useField('');
  return (
    <CommandDialog
      title="New pricing model"
      onClose={onClose}
      document={CreatePricingModelDocument}
      variables={name.value.trim() ? { pricingModel: { name: name.value.trim() } } : undefined}
      label="Create"
      done="The pricing model is created"
      onDone={({ createPricingModel: created }) => created && onCreated(created.pricingModel.id)}
    >
      <TextField label="Name" dir="auto" data-autofocus {...name} />
    </CommandDialog>
  );
}
