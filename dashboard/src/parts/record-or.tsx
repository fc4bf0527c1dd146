import { Button, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Live } from '../live/use-live.ts';
import { Failure } from './failure.tsx';
import { Empty } from './lists/empty.tsx';

interface Props<Data, Record> {
  readonly result: Live<Data>;
  readonly record: Record | null | undefined;
  /** The word for the record, such as "invoice". */
  readonly name: string;
  readonly children: (record: Record) => ReactNode;
}

/** A record; or that it is loading, unknown or cannot be read. */
export function RecordOr<Data, Record>({ result, record, name, children }: Props<Data, Record>) {
  if (record) return children(record);
  const { error, isLoading, reload } = result;
  const isUnknown = error?.graphQLErrors.some(({ extensions }) => extensions.code === 'NOT_FOUND');
  if (isUnknown || (!error && !isLoading)) {
    return (
      <Empty title={`There is no such ${name}`}>
        <Stack align="center" gap="sm">
          It may be deleted, or be of another mode.
          <Button component={Link} to="/" variant="default" size="xs">
            Home
          </Button>
        </Stack>
      </Empty>
    );
  }
  if (error) return <Failure error={error} onRetry={reload} />;
  return (
    <Stack role="status" aria-label="Loading">
      <Skeleton h={36} w="40%" />
      <Skeleton h={140} />
      <Skeleton h={260} />
    </Stack>
  );
}
