import { Badge, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { RowButton } from '../../commands/command-button.tsx';
import type { MutationName } from '../../commands/mutations.generated.ts';
import { namedColumn } from '../../parts/lists/columns.tsx';
import { RowTable } from '../../parts/lists/row-table.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import type { MailKind } from './mail-kinds.ts';

interface Props {
  /** The name of the table for screen readers. */
  readonly label: string;
  readonly kinds: readonly MailKind[];
  /** The remark below the name of a kind. */
  readonly remarkOf: (kind: MailKind) => ReactNode;
  readonly isOn: (kind: MailKind) => boolean;
  /** The mutation that switches a kind, and its dialog. */
  readonly does: MutationName;
  readonly dialog: (switched: Switched) => ReactNode;
  readonly isDisabled?: boolean;
}

interface Switched {
  readonly kind: MailKind;
  readonly title: string;
  readonly label: string;
  readonly onClose: () => void;
}

/** The kinds of mails with their switches; each switch is a command. */
export function KindSwitches(props: Props) {
  const { label, kinds, remarkOf, isOn, does, dialog, isDisabled = false } = props;
  const verb = (kind: MailKind) => (isOn(kind) ? 'Switch off' : 'Switch on');
  return (
    <RowTable
      label={label}
      rows={kinds.map((id) => ({ id }))}
      columns={[
        namedColumn<{ readonly id: MailKind }>(
          'Kind',
          ({ id }) => wordsOf(id),
          ({ id }) => remarkOf(id),
        ),
        {
          name: 'Switch',
          cell: ({ id }) => (
            <Group justify="flex-end" gap="xs" wrap="nowrap">
              <Badge variant="light" color={isOn(id) ? 'teal' : 'gray'} tt="none">
                {isOn(id) ? 'On' : 'Off'}
              </Badge>
              <RowButton
                does={does}
                disabled={isDisabled}
                aria-label={`${verb(id)}: ${wordsOf(id)}`}
                dialog={(onClose) =>
                  dialog({
                    kind: id,
                    title: `${wordsOf(id)}: ${verb(id).toLowerCase()}`,
                    label: verb(id),
                    onClose,
                  })
                }
              >
                {verb(id)}
              </RowButton>
            </Group>
          ),
        },
      ]}
    />
  );
}
