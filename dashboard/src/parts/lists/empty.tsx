import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';

interface Props {
  readonly title: string;
  /** Says what to do, where the list has no conditions. */
  readonly children?: ReactNode;
  /** Shown in its place where the address has conditions. */
  readonly filtered?: string;
}

/** The parameters of an address that leave out no rows. */
const unconditional = new Set(['tab', 'order', 'range', 'interval', 'by', 'meter']);

/** The place of rows where there are none. */
export function Empty({ title, children, filtered }: Props) {
  const [params] = useSearchParams();
  const isFiltered = [...params.keys()].some((name) => !unconditional.has(name));
  const text = isFiltered && filtered ? filtered : children;
  return (
    <Stack gap={4} align="center" py="xl" px="md" ta="center">
      <Text fw={600}>{title}</Text>
      {text && (
        <Text size="sm" c="dimmed" maw={420} component="div">
          {text}
        </Text>
      )}
    </Stack>
  );
}
