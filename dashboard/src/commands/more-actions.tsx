import { Button, Menu } from '@mantine/core';
import { type ReactElement, type ReactNode, useState } from 'react';
import { IconDots } from '../icons/icons.tsx';
import { CommandItem, type Opens } from './command-button.tsx';
import type { MutationName } from './mutations.generated.ts';

/** An item of a menu: its label, its mutation, the dialog that it opens, and its look. */
export type Action = readonly [
  label: string,
  does: MutationName,
  dialog: Opens,
  look?: { readonly color?: 'red'; readonly disabled?: boolean },
];

interface Props {
  /** The items, with false or null in place of those that the record does not allow now. */
  readonly actions: readonly (Action | false | null | undefined)[];
  /** The button of the menu; three dots when absent. */
  readonly target?: ReactElement;
  /** Items that lead to no command, above the others. */
  readonly children?: ReactNode;
}

/** A menu of commands, with the dialog of the one that is chosen. */
export function MoreActions({ actions, target, children }: Props) {
  const [opened, setOpened] = useState<string>();
  const isOpened = (action: Action | false | null | undefined) => action && action[0] === opened;
  const [, , dialog] = actions.find(isOpened) || [];
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          {target ?? (
            <Button size="xs" variant="default" aria-label="More actions" px="xs">
              <IconDots size={16} />
            </Button>
          )}
        </Menu.Target>
        <Menu.Dropdown>
          {children}
          {actions.map(
            (action) =>
              action && (
                <CommandItem
                  key={action[0]}
                  does={action[1]}
                  onClick={() => setOpened(action[0])}
                  {...action[3]}
                >
                  {action[0]}
                </CommandItem>
              ),
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog?.(() => setOpened(undefined))}
    </>
  );
}
