import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { TextField } from '../../../parts/fields/text-field.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import { Dimmed } from '../../../parts/texts/small-texts.tsx';
import { UpdatePriceDocument } from '../catalog.generated.ts';
import type { Price } from '../types.ts';

interface Props {
  readonly price: Price;
  readonly onClose: () => void;
}

/** Changes the name and the slug of a price. Its terms never change. */
export function EditPriceDialog({ price, onClose }: Props) {
  const name = useField(price.name ?? '');
  const slug = useField(price.slug ?? '');
  const isChanged = name.value !== (price.name ?? '') || slug.value !== (price.slug ?? '');
  const changes = isChanged && {
    name: name.value.trim() || null,
    ...(slug.value.trim() && { slug: slug.value.trim() }),
  };
  return (
    <CommandDialog
      title="Edit the price"
      onClose={onClose}
      document={UpdatePriceDocument}
      variables={changes && { id: price.id, version: price.version, price: changes }}
      label="Save"
      done="The price is changed"
    >
      <Dimmed>
        Amount, interval and trial stay. For other terms, create a price and retire this one.
      </Dimmed>
      <TextField label="Name" dir="auto" data-autofocus {...name} />
      <TextField label="Slug" {...slug} />
    </CommandDialog>
  );
}
