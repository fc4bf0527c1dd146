import { CommandDialog } from '../../commands/command-dialog.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { UpdatePricingModelDocument } from './catalog.generated.ts';
import type { Model } from './types.ts';

interface Props {
  readonly model: Model;
  readonly onClose: () => void;
}

/** Changes the name of a pricing model. */
export function RenameDialog({ model: { id, version, name: before }, onClose }: Props) {
  const typed = useField(before);
  const name = typed.value.trim();
  return (
    <CommandDialog
      title="Rename the pricing model"
      onClose={onClose}
      document={UpdatePricingModelDocument}
      variables={name && name !== before ? { id, version, pricingModel: { name } } : undefined}
      label="Rename"
      done="The pricing model is renamed"
    >
      <TextField label="Name" dir="auto" data-autofocus {...typed} />
    </CommandDialog>
  );
}
