import { Text } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { TextField } from '../../../parts/fields/text-field.tsx';
import { UpdatePriceDocument } from '../catalog.generated.ts';
import type { Price } from '../types.ts';

interface Props {
  readonly price: Price;
  readonly onClose: () => void;
}

/** Changes the name and the slug of a price. Its terms never change. */
export function EditPriceDialog({ price, onClose }: Props) {
  const [name, setName] = useState(price.name ?? '');
  const [slug, setSlug] = useState(price.slug ?? '');
  const isChanged = name !== (price.name ?? '') || slug !== (price.slug ?? '');
  return (
    <CommandDialog
      title="Edit the price"
      onClose={onClose}
      document={UpdatePriceDocument}
      variables={
        isChanged
          ? {
              id: price.id,
              version: price.version,
              price: { name: name.trim() || null, ...(slug.trim() && { slug: slug.trim() }) },
            }
          : undefined
      }
      label="Save"
      done="The price is changed"
    >
      <Text size="sm" c="dimmed">
        Amount, interval and trial stay. For other terms, create a price and retire this one.
      </Text>
      <TextField label="Name" dir="auto" data-autofocus value={name} onChange={setName} />
      <TextField label="Slug" value={slug} onChange={setSlug} />
    </CommandDialog>
  );
}
