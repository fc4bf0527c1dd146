import { useNavigate } from 'react-router';
import { PageButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { useList } from '../../live/use-list.ts';
import { TextField } from '../../parts/fields/text-field.tsx';
import { TimeInput } from '../../parts/fields/time-input.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import type { Column } from '../../parts/lists/column.ts';
import { statusColumn, timeColumn } from '../../parts/lists/columns.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import { Page } from '../../parts/page.tsx';
import { instantText } from '../../parts/texts/days.ts';
import {
  CreateTestClockDocument,
  TestClocksDocument,
  type TestClocksQuery,
} from './test-clocks.generated.ts';

type Row = TestClocksQuery['testClocks']['nodes'][number];

const columns: readonly Column<Row>[] = [
  {
    name: 'Name',
    cell: ({ id, name }) => <RowLink to={`/test-clocks/${id}`}>{name ?? id}</RowLink>,
  },
  statusColumn(),
  { name: 'Its time', cell: ({ frozenTime }) => instantText(frozenTime) },
  timeColumn('Created', 'createdAt', { from: 'sm' }),
];

/** All test clocks. */
function TestClocksPage() {
  const list = useList(
    TestClocksDocument,
    { orderBy: 'created_at_desc' as const },
    ({ testClocks }) => testClocks,
    { kinds: ['test_clock'] },
  );
  return (
    <Page
      title="Test clocks"
      actions={
        <PageButton does="createTestClock" dialog={(onClose) => <CreateDialog onClose={onClose} />}>
          New test clock
        </PageButton>
      }
    >
      <DataTable
        label="Test clocks"
        list={list}
        columns={columns}
        pathOf={({ id }) => `/test-clocks/${id}`}
        empty={
          <Empty title="No test clocks">
            The customers of a test clock live at its time: advance it, and watch a year happen.
          </Empty>
        }
      />
    </Page>
  );
}

const minute = 60_000;

function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const name = useField('');
  const at = useField<number | null>(() => Math.floor(Date.now() / minute) * minute);
  return (
    <CommandDialog
      title="New test clock"
      onClose={onClose}
      document={CreateTestClockDocument}
      variables={
        at.value !== null && {
          testClock: {
            frozenTime: at.value,
            ...(name.value.trim() && { name: name.value.trim() }),
          },
        }
      }
      label="Create"
      done="The test clock is created"
      onDone={({ createTestClock: created }) => {
        if (created) navigate(`/test-clocks/${created.testClock.id}`);
      }}
    >
      <TextField label="Name" data-autofocus {...name} />
      <TimeInput label="Its time" {...at} />
    </CommandDialog>
  );
}

export { TestClocksPage as Component };
