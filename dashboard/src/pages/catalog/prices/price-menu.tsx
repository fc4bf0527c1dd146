import { ActionIcon, Menu } from '@mantine/core';
import { useState } from 'react';
import { CommandItem } from '../../../commands/command-button.tsx';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
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
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Actions of the price ${price.slug ?? priceText(price)}`}
          >
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <CommandItem does="updatePrice" onClick={() => setDialog('edit')}>
            Edit
          </CommandItem>
          {price.type === 'subscription' && (
            <CommandItem does="createPriceMove" onClick={() => setDialog('move')}>
              Move the subscribers
            </CommandItem>
          )}
          {active && !isDefault && (
            <CommandItem does="updatePrice" onClick={() => setDialog('default')}>
              Make default
            </CommandItem>
          )}
          {active && !isDefault && (
            <CommandItem does="updatePrice" color="red" onClick={() => setDialog('retire')}>
              Retire
            </CommandItem>
          )}
          {!active && (
            <CommandItem does="updatePrice" onClick={() => setDialog('revive')}>
              Sell again
            </CommandItem>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'edit' && <EditPriceDialog price={price} onClose={close} />}
      {dialog === 'move' && <MoveDialog price={price} onClose={close} />}
      {change && (
        <CommandDialog
          title={change.title}
          isOpen
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
