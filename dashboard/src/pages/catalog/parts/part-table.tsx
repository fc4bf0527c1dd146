import type { ReactNode } from 'react';
import { CommandButton, RowButton } from '../../../commands/command-button.tsx';
import type { MutationName } from '../../../commands/mutations.generated.ts';
import { Empty } from '../../../parts/lists/empty.tsx';
import { RowTable } from '../../../parts/lists/row-table.tsx';
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
  /** The dialog of a row; that of a new one without a row. */
  readonly dialog: (onClose: () => void, row?: Row) => ReactNode;
}

/** A part of the catalog whose rows are edited one by one. */
export function PartTable<
  Row extends { readonly id: string; readonly name: string; readonly active: boolean },
>(props: Props<Row>) {
  const { title, newLabel, rows, totalCount, columns, empty, creates, updates, dialog } = props;
  return (
    <Section
      title={title}
      actions={
        <CommandButton does={creates} size="compact-sm" variant="default" dialog={dialog}>
          {newLabel}
        </CommandButton>
      }
    >
      {rows.length === 0 ? (
        <Empty title={`No ${title.toLowerCase()}`}>{empty}</Empty>
      ) : (
        <RowTable
          label={title}
          minWidth={480}
          spacing={6}
          hasHead
          rows={rows}
          isDimmed={({ active }) => !active}
          columns={[
            {
              name: 'Name',
              dir: 'auto',
              cell: ({ name, active }) => (
                <>
                  {name} {!active && <Mark variant="default">Inactive</Mark>}
                </>
              ),
            },
            ...columns.map(([name, cell]) => ({ name, cell })),
            {
              name: 'Actions',
              isNameless: true,
              isNumber: true,
              cell: (row) => (
                <RowButton
                  does={updates}
                  aria-label={`Edit ${row.name}`}
                  dialog={(onClose) => dialog(onClose, row)}
                >
                  Edit
                </RowButton>
              ),
            },
          ]}
        />
      )}
      <ShownOf shown={rows.length} total={totalCount} />
    </Section>
  );
}
