import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { CommandButton, RowButton } from '../../../commands/command-button.tsx';
import type { MutationName } from '../../../commands/mutations.generated.ts';
import { Empty } from '../../../parts/lists/empty.tsx';
import { Section } from '../../../parts/section.tsx';
import { Mark } from '../../../parts/texts/small-texts.tsx';
import { ShownOf } from '../shown-of.tsx';

interface Props<Row> {
  readonly title: string;
  readonly newLabel: string;
  readonly rows: readonly Row[];
  readonly totalCount: number;
  /** The heading and the content of each column. */
  readonly columns: readonly (readonly [name: string, cell: (row: Row) => ReactNode])[];
  readonly empty: string;
  /** The mutations of a new row and of an edited one. */
  readonly creates: MutationName;
  readonly updates: MutationName;
  readonly onNew: () => void;
  readonly onEdit: (row: Row) => void;
}

/** A part of the catalog whose rows are edited one by one. */
export function PartTable<
  Row extends { readonly id: string; readonly name: string; readonly active: boolean },
>(props: Props<Row>) {
  const { title, newLabel, rows, totalCount, columns, empty, creates, updates, onNew, onEdit } =
    props;
  return (
    <Section
      title={title}
      actions={
        <CommandButton does={creates} size="compact-sm" variant="default" onClick={onNew}>
          {newLabel}
        </CommandButton>
      }
    >
      {rows.length === 0 ? (
        <Empty title={`No ${title.toLowerCase()}`}>{empty}</Empty>
      ) : (
        <Table.ScrollContainer minWidth={480} type="native" tabIndex={0}>
          <Table fz="sm" aria-label={title} verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                {columns.map(([name]) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
                <Table.Th aria-label="Actions" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.id} c={row.active ? undefined : 'dimmed'}>
                  <Table.Td dir="auto">
                    {row.name} {!row.active && <Mark variant="default">Inactive</Mark>}
                  </Table.Td>
                  {columns.map(([name, cell]) => (
                    <Table.Td key={name}>{cell(row)}</Table.Td>
                  ))}
                  <Table.Td ta="end">
                    <RowButton
                      does={updates}
                      aria-label={`Edit ${row.name}`}
                      onClick={() => onEdit(row)}
                    >
                      Edit
                    </RowButton>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <ShownOf shown={rows.length} total={totalCount} />
    </Section>
  );
}
