import { Group, Table } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CommandButton } from '../../../commands/command-button.tsx';
import { Failure } from '../../../parts/failure.tsx';
import { Section } from '../../../parts/section.tsx';
import { Dimmed, Mark, Remark } from '../../../parts/texts/small-texts.tsx';
import { type AlertTerms, amountText, kindTexts } from './alert-texts.ts';

type Command = Parameters<typeof CommandButton>[0]['does'];

interface Props<T> {
  readonly title: string;
  /** The name of the table. */
  readonly label: string;
  /** The alerts, or the rules; undefined until they are read. */
  readonly items: readonly T[] | undefined;
  readonly error: Parameters<typeof Failure>[0]['error'];
  readonly onRetry: () => void;
  readonly adds: { readonly does: Command; readonly label: string };
  readonly row: (item: T, change: () => void) => ReactNode;
  readonly newDialog: (close: () => void) => ReactNode;
  readonly changeDialog: (item: T, close: () => void) => ReactNode;
}

/** A section with alerts, or with rules for alerts, and the dialogs that add and change one. */
export function AlertList<T extends { readonly id: string }>(props: Props<T>) {
  const { title, label, items, error, onRetry, adds, row, newDialog, changeDialog } = props;
  const [isAdding, setAdding] = useState(false);
  const [changed, setChanged] = useState<T>();
  return (
    <Section
      title={title}
      actions={
        <CommandButton
          does={adds.does}
          size="compact-xs"
          variant="default"
          onClick={() => setAdding(true)}
        >
          {adds.label}
        </CommandButton>
      }
    >
      {!items && <Failure error={error} onRetry={onRetry} />}
      {items?.length === 0 && <Dimmed>None</Dimmed>}
      {items && items.length > 0 && (
        <Table.ScrollContainer minWidth={420} type="native" tabIndex={0}>
          <Table fz="sm" aria-label={label}>
            <Table.Tbody>{items.map((item) => row(item, () => setChanged(item)))}</Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {isAdding && newDialog(() => setAdding(false))}
      {changed && changeDialog(changed, () => setChanged(undefined))}
    </Section>
  );
}

interface CellsProps {
  readonly of: AlertTerms;
  readonly currency: string;
}

/** The cells with what an alert watches, and with its thresholds. */
export function TermCells({ of, currency }: CellsProps) {
  const { kind, threshold, percentages, hardLimit, name, usageMeter } = of;
  return (
    <>
      <Table.Td>
        {name && <div dir="auto">{name}</div>}
        {kindTexts[kind]}
        {usageMeter && <Remark dir="auto">{usageMeter.name}</Remark>}
      </Table.Td>
      <Table.Td>
        <Group gap="xs">
          {amountText(kind, threshold, currency)}
          {percentages.length > 0 && (
            <Remark>and at {percentages.map((one) => `${one} %`).join(', ')}</Remark>
          )}
          {hardLimit && <Mark color="red">Hard limit</Mark>}
        </Group>
      </Table.Td>
    </>
  );
}

interface ChangeProps {
  readonly does: Command;
  readonly onClick: () => void;
}

/** Opens the dialog that changes the alert of a row. */
export const ChangeButton = ({ does, onClick }: ChangeProps) => (
  <CommandButton does={does} size="compact-xs" variant="subtle" onClick={onClick}>
    Change
  </CommandButton>
);
