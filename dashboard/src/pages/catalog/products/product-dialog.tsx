import { Group, Switch, Textarea } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { TextField } from '../../../parts/fields/text-field.tsx';
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
  const [named, setNamed] = useState({ name: product.name, slug: product.slug });
  const [description, setDescription] = useState(product.description ?? '');
  const [imageURL, setImage] = useState(product.imageURL ?? '');
  const [singular, setSingular] = useState(product.singularQuantityLabel ?? '');
  const [plural, setPlural] = useState(product.pluralQuantityLabel ?? '');
  const [taxCode, setTaxCode] = useState(product.taxCode ?? '');
  const [active, setActive] = useState(product.active);
  const [addOn, setAddOn] = useState(product.addOn);
  const complete = namedOf(named);
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
            ...changeOf('imageURL', imageURL, product.imageURL),
            ...changeOf('singularQuantityLabel', singular, product.singularQuantityLabel),
            ...changeOf('pluralQuantityLabel', plural, product.pluralQuantityLabel),
            ...changeOf('taxCode', taxCode, product.taxCode),
            ...(!isFree && { active, addOn }),
          },
        }
      }
      label="Save"
      done="The product is changed"
    >
      <NameAndSlug value={named} onChange={setNamed} isKept />
      <Textarea
        label="Description"
        dir="auto"
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <TextField
        label="Address of an image"
        type="url"
        placeholder="https://"
        value={imageURL}
        onChange={setImage}
      />
      <TextField
        label="Tax code"
        description="Tax rates with this code apply to it"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={taxCode}
        onChange={setTaxCode}
      />
      {!isFree && (
        <>
          <Group grow>
            <TextField
              label="One of it"
              placeholder="seat"
              dir="auto"
              value={singular}
              onChange={setSingular}
            />
            <TextField
              label="Several of it"
              placeholder="seats"
              dir="auto"
              value={plural}
              onChange={setPlural}
            />
          </Group>
          <Switch
            label="Add-on"
            description="It adds to a plan: the portal does not offer it as one"
            checked={addOn}
            onChange={({ currentTarget }) => setAddOn(currentTarget.checked)}
          />
          <Switch
            label="For sale"
            description="New subscriptions can use it; present ones keep it without"
            checked={active}
            onChange={({ currentTarget }) => setActive(currentTarget.checked)}
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
