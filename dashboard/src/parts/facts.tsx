import { Box, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** Names and values of a record, in columns. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Box component="dl" m={0} className={classes.facts}>
      {facts.map(([name, value]) => (
        <Stack key={name} gap={2} miw={0}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }} dir="auto">
            {value ?? '—'}
          </Text>
        </Stack>
      ))}
    </Box>
  );
}
