import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { CommandItem } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { IconDots } from '../../icons/icons.tsx';
import { ApplyDialog } from './apply-dialog.tsx';
import { UpdatePricingModelDocument } from './catalog.generated.ts';
import { CloneDialog } from './clone-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import type { Model } from './types.ts';

interface Props {
  readonly model: Model;
  readonly onApplied: () => void;
}

/** The commands of a pricing model. */
export function CatalogActions({ model, onApplied }: Props) {
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'document' | 'clone' | 'rename' | 'default'>();
  const close = () => setDialog(undefined);
  const { id, version } = model;
  return (
    <>
      <Button size="xs" onClick={() => setDialog('document')}>
        Export and apply
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" aria-label="More actions" px="xs">
            <IconDots size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <CommandItem does="updatePricingModel" onClick={() => setDialog('rename')}>
            Rename
          </CommandItem>
          <CommandItem does="clonePricingModel" onClick={() => setDialog('clone')}>
            Clone
          </CommandItem>
          {!model.isDefault && (
            <CommandItem does="updatePricingModel" onClick={() => setDialog('default')}>
              Make default
            </CommandItem>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'document' && <ApplyDialog model={model} onClose={close} onApplied={onApplied} />}
      {dialog === 'clone' && (
        <CloneDialog
          model={model}
          onClose={close}
          onCloned={(copy) => navigate(`/catalog/${copy}`)}
        />
      )}
      {dialog === 'rename' && <RenameDialog model={model} onClose={close} />}
      {dialog === 'default' && (
        <CommandDialog
          title="Make it the default pricing model"
          isOpen
          onClose={close}
          document={UpdatePricingModelDocument}
          variables={{ id, version, pricingModel: { isDefault: true } }}
          label="Make default"
          done="It is the default pricing model"
        />
      )}
    </>
  );
}
