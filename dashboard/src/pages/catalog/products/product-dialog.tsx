import { Group, Textarea } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { SwitchField } from '../../../parts/fields/check-field.tsx';
import { TextField } from '../../../parts/fields/text-field.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import { UpdateProductDocument } from '../catalog.generated.ts';
import { NameAndSlug, namedOf } from '../name-and-slug.tsx';
import type { Product } from '../types.ts';

interface Props {
  readonly product: Product;
  readonly onClose: () => void;
}

/** Changes the texts, the tax code and the sale of a product. The default product keeps its slug, its labels and its sale. */
export function ProductDialog({ product, onClose }: Props) {
  const { id, version } = product;
  const named = useField({ name: product.name, slug: product.slug });
  const [description, setDescription] = useState(product.description ?? '');
  const imageURL = useField(product.imageURL ?? '');
  const singular = useField(product.singularQuantityLabel ?? '');
  const plural = useField(product.pluralQuantityLabel ?? '');
  const taxCode = useField(product.taxCode ?? '');
  const active = useField(product.active);
  const addOn = useField(product.addOn);
  const complete = namedOf(named.value);
  const isFree = product.default;
  return (
    <CommandDialog
      title="Edit the product"
      onClose={onClose}
      document={UpdateProductDocument}
      variables={
        complete && {
          id,
          version,
          product: {
            ...complete,
            ...changeOf('description', description, product.description),
            ...changeOf('imageURL', imageURL.value, product.imageURL),
            ...changeOf('singularQuantityLabel', singular.value, product.singularQuantityLabel),
            ...changeOf('pluralQuantityLabel', plural.value, product.pluralQuantityLabel),
            ...changeOf('taxCode', taxCode.value, product.taxCode),
            ...(!isFree && { active: active.value, addOn: addOn.value }),
          },
        }
      }
      label="Save"
      done="The product is changed"
    >
      <NameAndSlug {...named} isKept />
      <Textarea
        label="Description"
        dir="auto"
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <TextField label="Address of an image" type="url" placeholder="https://" {...imageURL} />
      <TextField
        label="Tax code"
        description="Tax rates with this code apply to it"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...taxCode}
      />
      {!isFree && (
        <>
          <Group grow>
            <TextField label="One of it" placeholder="seat" dir="auto" {...singular} />
            <TextField label="Several of it" placeholder="seats" dir="auto" {...plural} />
          </Group>
          <SwitchField
            label="Add-on"
            description="It adds to a plan: the portal does not offer it as one"
            {...addOn}
          />
          <SwitchField
            label="For sale"
            description="New subscriptions can use it; present ones keep it without"
            {...active}
          />
        </>
      )}
    </CommandDialog>
  );
}

/** A text as a change; nothing where it is as before. */
function changeOf<Name extends string>(name: Name, text: string, before: string | null) {
  if (text.trim() === (before ?? '')) return {};
  return { [name]: text.trim() || null } as { [name in Name]: string | null };
}
