import {
  Button,
  type ButtonProps,
  type ElementProps,
  Menu,
  type MenuItemProps,
  Tooltip,
} from '@mantine/core';
import { type ReactElement, type ReactNode, useState } from 'react';
import { IconLock, IconPlus } from '../icons/icons.tsx';
import type { MutationName } from './mutations.generated.ts';
import { useMissingScope } from './permissions.tsx';

interface Command {
  /** The mutation that it leads to. */
  readonly does: MutationName;
}

/** The dialog of a command; it is in the page while it is open. */
export type Opens = (onClose: () => void) => ReactNode;

type Props = Command &
  ButtonProps &
  ElementProps<'button', keyof ButtonProps> & {
    /** The dialog that it opens, in place of `onClick`. */
    readonly dialog?: Opens;
  };

/**
 * A button that leads to a command. A caller who may not execute the command sees why, and cannot press it; it stays
 * in the order of the keyboard, so that the reason is read there, too.
 */
export function CommandButton({ does, dialog, onClick, ...props }: Props) {
  const reason = useMissingScope(does);
  const [isOpen, setOpen] = useState(false);
  if (!reason) {
    return (
      <>
        <Button onClick={dialog ? () => setOpen(true) : onClick} {...props} />
        {isOpen && dialog?.(() => setOpen(false))}
      </>
    );
  }
  return (
    <Reason text={reason}>
      <Button {...props} disabled={false} data-disabled aria-disabled aria-description={reason} />
    </Reason>
  );
}

/** A command of a page. */
export const PageButton = ({ isNew, ...props }: Props & { readonly isNew?: boolean }) => (
  <CommandButton size="xs" {...(isNew && { leftSection: <IconPlus size={14} /> })} {...props} />
);

/** The button that edits a part of a page. */
export const EditButton = (props: Props) => (
  <PageButton variant="default" {...props}>
    {props.children ?? 'Edit'}
  </PageButton>
);

/** A command of a row. */
export const RowButton = (props: Props) => (
  <CommandButton size="compact-xs" variant="subtle" {...props} />
);

/** A command of a section, such as one that adds a row. */
export const SectionButton = (props: Props) => (
  <CommandButton size="compact-xs" variant="default" {...props} />
);

/** An item of a menu that leads to a command, as `CommandButton`. */
export function CommandItem({
  does,
  onClick,
  ...props
}: Command & MenuItemProps & ElementProps<'button', keyof MenuItemProps>) {
  const reason = useMissingScope(does);
  if (!reason) return <Menu.Item onClick={onClick} {...props} />;
  return (
    <Reason text={reason}>
      <Menu.Item
        {...props}
        disabled={false}
        color="dimmed"
        aria-disabled
        aria-description={reason}
        closeMenuOnClick={false}
        rightSection={<IconLock size={14} />}
      />
    </Reason>
  );
}

const events = { hover: true, focus: true, touch: true };

const Reason = ({ text, children }: { readonly text: string; readonly children: ReactElement }) => (
  <Tooltip label={text} events={events} multiline maw={280} withinPortal>
    {children}
  </Tooltip>
);
