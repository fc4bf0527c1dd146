import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly children?: ReactNode;
}

/** The place of rows where there are none. */
export function Empty({ title, children }: Props) {
  return (
    <Stack gap={4} align="center" py="xl" px="md" ta="center">
      <Text fw={600}>{title}</Text>
      {children && (
        <Text size="sm" c="dimmed" maw={420} component="div">
          {children}
        </Text>
      )}
    </Stack>
  );
}
