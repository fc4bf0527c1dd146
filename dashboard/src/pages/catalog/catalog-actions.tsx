import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { confirmItem } from '../../commands/confirm.tsx';
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

const updatePricingModel = {
  does: 'updatePricingModel',
  document: UpdatePricingModelDocument,
  title: 'Make it the default pricing model',
  label: 'Make default',
  done: 'It is the default pricing model',
} as const;

/** The commands of a pricing model. */
export function CatalogActions({ model, onApplied }: Props) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const { id, version } = model;
  return (
    <>
      <Button size="xs" onClick={() => setOpen(true)}>
        Export and apply
      </Button>
      {isOpen && <ApplyDialog {...{ model, onApplied }} onClose={() => setOpen(false)} />}
      <MoreActions
        actions={[
          ['Rename', 'updatePricingModel', (onClose) => <RenameDialog {...{ model, onClose }} />],
          [
            'Clone',
            'clonePricingModel',
            (onClose) => (
              <CloneDialog
                {...{ model, onClose }}
                onCloned={(copy) => navigate(`/catalog/${copy}`)}
              />
            ),
          ],
          !model.isDefault &&
            confirmItem(updatePricingModel, { id, version, pricingModel: { isDefault: true } }),
        ]}
      />
    </>
  );
}
