import { Badge, Stack, Text } from '@mantine/core';
import { useList } from '../../live/use-list.ts';
import type { Column } from '../../parts/lists/column.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { FilterBar, type FilterChoice } from '../../parts/lists/filter-bar.tsx';
import { useFilters } from '../../parts/lists/use-filters.ts';
import { numberText, wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
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
  { name: 'Started', cell: ({ startedAt }) => <Instant at={startedAt} isRelative /> },
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
        <Badge variant="light" color={finishedAt ? 'teal' : 'blue'} tt="none" radius="sm" maw={420}>
          {outcome ?? (finishedAt ? 'Done' : 'Running')}
        </Badge>
      ),
  },
];

/** The runs of the scheduled jobs, newest first. */
export function CronRuns() {
  const filters = useFilters();
  const job = filters.get('job');
  const outcome = filters.get('outcome');
  const where = {
    ...(job && { job: { contains: job } }),
    ...(outcome && { outcome: { is: outcome as 'failed' } }),
  };
  const list = useList(
    CronRunsDocument,
    { where, orderBy: 'created_at_desc' as const },
    ({ cronRuns }) => cronRuns,
  );
  return (
    <Stack gap="sm">
      <FilterBar filters={filters} choices={choices} />
      <DataTable
        label="Runs of jobs"
        list={list}
        columns={columns}
        height="calc(100dvh - 330px)"
        empty={
          <Empty title="No runs" filtered="No job has run that matches these conditions.">
            Runs of jobs appear here.
          </Empty>
        }
      />
    </Stack>
  );
}
