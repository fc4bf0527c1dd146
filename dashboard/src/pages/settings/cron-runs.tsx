import { Text } from '@mantine/core';
import type { Column } from '../../parts/lists/column.ts';
import { timeColumn } from '../../parts/lists/columns.tsx';
import type { FilterChoice } from '../../parts/lists/conditions.ts';
import { Empty } from '../../parts/lists/empty.tsx';
import { FilteredList } from '../../parts/lists/filtered-list.tsx';
import { useFilters } from '../../parts/lists/use-filters.ts';
import { numberText, wordsOf } from '../../parts/texts/formats.ts';
import { Mark } from '../../parts/texts/small-texts.tsx';
import { CronRunsDocument, type CronRunsQuery } from './settings.generated.ts';

type Row = CronRunsQuery['cronRuns']['nodes'][number];

const choices: readonly FilterChoice[] = [
  { name: 'job', label: 'Job' },
  { name: 'outcome', label: 'Outcome', values: ['succeeded', 'failed', 'unfinished'] },
];

const columns: readonly Column<Row>[] = [
  {
    name: 'Job',
    cell: ({ job }) => (
      <Text size="sm" fw={500}>
        {wordsOf(job.replaceAll('-', '_'))}
      </Text>
    ),
  },
  timeColumn('Started', 'startedAt', { isRelative: true }),
  {
    name: 'Duration',
    isNumber: true,
    from: 'xs',
    cell: ({ startedAt, finishedAt }) =>
      finishedAt ? `${numberText(finishedAt - startedAt)} ms` : '',
  },
  {
    name: 'Result',
    cell: ({ outcome, error, finishedAt }) =>
      error ? (
        <Text size="sm" c="red" truncate maw={420}>
          {error}
        </Text>
      ) : (
        <Mark color={finishedAt ? 'teal' : 'blue'} maw={420}>
          {outcome ?? (finishedAt ? 'Done' : 'Running')}
        </Mark>
      ),
  },
];

/** The runs of the scheduled jobs, newest first. */
export const CronRuns = () => (
  <FilteredList
    label="Runs of jobs"
    filters={useFilters()}
    choices={choices}
    document={CronRunsDocument}
    select={({ cronRuns }) => cronRuns}
    order="created_at_desc"
    columns={columns}
    height="calc(100dvh - 330px)"
    empty={
      <Empty title="No runs" filtered="No job has run that matches these conditions.">
        Runs of jobs appear here.
      </Empty>
    }
  />
);
