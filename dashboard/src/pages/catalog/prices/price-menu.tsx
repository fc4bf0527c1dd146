import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { MoreActions } from '../../../commands/more-actions.tsx';
import { IconDots } from '../../../icons/icons.tsx';
import { priceText } from '../../../parts/texts/price-terms.ts';
import { UpdatePriceDocument } from '../catalog.generated.ts';
import type { Price } from '../types.ts';
import { EditPriceDialog } from './edit-price-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';

const changes = {
  default: {
    title: 'Make it the default price',
    label: 'Make default',
    price: { isDefault: true },
    done: 'It is the default price',
  },
  retire: {
    title: 'Retire the price',
    label: 'Retire',
    price: { active: false },
    done: 'The price is retired; subscriptions keep it',
  },
  revive: {
    title: 'Sell the price again',
    label: 'Sell again',
    price: { active: true },
    done: 'The price is sold again',
  },
} as const;

/** The commands of a price. */
export function PriceMenu({ price }: { readonly price: Price }) {
  const [dialog, setDialog] = useState<'edit' | 'move' | keyof typeof changes>();
  const close = () => setDialog(undefined);
  const change = dialog && dialog !== 'edit' && dialog !== 'move' ? changes[dialog] : undefined;
  const { id, version, active, isDefault } = price;
  return (
    <>
      <MoreActions
        onOpen={setDialog}
        target={
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Actions of the price ${price.slug ?? priceText(price)}`}
          >
            <IconDots size={16} />
          </ActionIcon>
        }
        actions={[
          ['edit', 'Edit', 'updatePrice'],
          price.type === 'subscription' && ['move', 'Move the subscribers', 'createPriceMove'],
          active && !isDefault && ['default', 'Make default', 'updatePrice'],
          active && !isDefault && ['retire', 'Retire', 'updatePrice', { color: 'red' }],
          !active && ['revive', 'Sell again', 'updatePrice'],
        ]}
      />
      {dialog === 'edit' && <EditPriceDialog price={price} onClose={close} />}
      {dialog === 'move' && <MoveDialog price={price} onClose={close} />}
      {change && (
        <CommandDialog
          title={change.title}
          onClose={close}
          document={UpdatePriceDocument}
          variables={{ id, version, price: change.price }}
          label={change.label}
          isDangerous={dialog === 'retire'}
          done={change.done}
        />
      )}
    </>
  );
}
