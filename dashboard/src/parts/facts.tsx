import { Box, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** Names and values of a record, in columns. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Box component="dl" m={0} className={classes.facts}>
      {facts.map(([name, value], place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two facts may have one name, and all change together
        <Stack key={place} gap={2} miw={0}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{value ?? '—'}</bdi>
          </Text>
        </Stack>
      ))}
    </Box>
  );
}
