import { ActionIcon } from '@mantine/core';
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
    done: 'It is the default price',
    price: { isDefault: true },
  },
  retire: {
    title: 'Retire the price',
    label: 'Retire',
    done: 'The price is retired; subscriptions keep it',
    isDangerous: true,
    price: { active: false },
  },
  revive: {
    title: 'Sell the price again',
    label: 'Sell again',
    done: 'The price is sold again',
    price: { active: true },
  },
} as const;

/** The commands of a price. */
export function PriceMenu({ price }: { readonly price: Price }) {
  const { id, version, active, isDefault } = price;
  const change = (name: keyof typeof changes) => {
    const { price: changed, ...texts } = changes[name];
    const dialog = (onClose: () => void) => (
      <CommandDialog
        {...texts}
        onClose={onClose}
        document={UpdatePriceDocument}
        variables={{ id, version, price: changed }}
      />
    );
    return [texts.label, 'updatePrice', dialog] as const;
  };
  return (
    <MoreActions
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
        ['Edit', 'updatePrice', (onClose) => <EditPriceDialog {...{ price, onClose }} />],
        price.type === 'subscription' && [
          'Move the subscribers',
          'createPriceMove',
          (onClose) => <MoveDialog {...{ price, onClose }} />,
        ],
        active && !isDefault && change('default'),
        active && !isDefault && [...change('retire'), { color: 'red' }],
        !active && change('revive'),
      ]}
    />
  );
}
