import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { MoreActions } from '../../commands/more-actions.tsx';
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
      <MoreActions
        onOpen={setDialog}
        actions={[
          ['rename', 'Rename', 'updatePricingModel'],
          ['clone', 'Clone', 'clonePricingModel'],
          !model.isDefault && ['default', 'Make default', 'updatePricingModel'],
        ]}
      />
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
