import { Button, Menu } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { IconDots } from '../icons/icons.tsx';
import { CommandItem } from './command-button.tsx';
import type { MutationName } from './mutations.generated.ts';

/** An item of a menu: the dialog that it opens, its label, its mutation, and its look. */
type Action<Dialog> = readonly [
  Dialog,
  string,
  MutationName,
  { readonly color?: 'red'; readonly disabled?: boolean }?,
];

interface Props<Dialog> {
  /** The items, with false or null in place of those that the record does not allow now. */
  readonly actions: readonly (Action<Dialog> | false | null | undefined)[];
  readonly onOpen: (dialog: Dialog) => void;
  /** The button of the menu; three dots when absent. */
  readonly target?: ReactElement;
  /** Items that lead to no command, above the others. */
  readonly children?: ReactNode;
}

/** A menu of commands. */
export function MoreActions<Dialog extends string>(props: Props<Dialog>) {
  const { actions, onOpen, target, children } = props;
  return (
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
                does={action[2]}
                onClick={() => onOpen(action[0])}
                {...action[3]}
              >
                {action[1]}
              </CommandItem>
            ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
