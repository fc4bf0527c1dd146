import { Button, Menu, TextInput } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { ApplyDialog } from './apply-dialog.tsx';
import { ClonePricingModelDocument } from './catalog.generated.ts';
import type { Model } from './catalog-tree.tsx';
import { NewProductDialog } from './new-product-dialog.tsx';

/** The commands of a pricing model. */
export function CatalogActions({ model }: { readonly model: Model }) {
  const [dialog, setDialog] = useState<'product' | 'document' | 'clone'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <Button size="xs" onClick={() => setDialog('product')}>
        New product
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" aria-label="More actions" px="xs">
            <IconDots size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('document')}>Edit as a document</Menu.Item>
          <Menu.Item onClick={() => setDialog('clone')}>Clone</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'product' && <NewProductDialog pricingModelId={model.id} onClose={close} />}
      {dialog === 'document' && <ApplyDialog model={model} onClose={close} />}
      {dialog === 'clone' && <CloneDialog model={model} onClose={close} />}
    </>
  );
}

function CloneDialog({ model, onClose }: { readonly model: Model; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState(`${model.name} (copy)`);
  return (
    <CommandDialog
      title="Clone the pricing model"
      isOpen
      onClose={onClose}
      document={ClonePricingModelDocument}
      variables={
        name.trim() ? { id: model.id, name: name.trim(), to: 'testmode' as const } : undefined
      }
      label="Clone"
      done="The pricing model is cloned"
      onDone={({ clonePricingModel: cloned }) => {
        if (cloned) navigate(`/catalog/${cloned.pricingModel.id}`);
      }}
    >
      <TextInput
        label="Name"
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </CommandDialog>
  );
}
