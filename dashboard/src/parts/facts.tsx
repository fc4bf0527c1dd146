import { Box, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** A name and a value of a record. */
export type Fact = readonly [name: string, value: ReactNode];

/** Facts, with nothing in place of those that a record does not have. */
export type SomeFacts = readonly (Fact | false | null | undefined | '' | 0)[];

/** Names and values of a record, in columns. */
export function Facts({ facts }: { readonly facts: SomeFacts }) {
  return (
    <Box component="dl" m={0} className={classes.facts}>
      {facts.map(
        (fact, place) =>
          fact && (
            // biome-ignore lint/suspicious/noArrayIndexKey: two facts may have one name, and all change together
            <Stack key={place} gap={2} miw={0}>
              <Text component="dt" size="xs" c="dimmed">
                {fact[0]}
              </Text>
              <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
                <bdi>{fact[1] ?? '—'}</bdi>
              </Text>
            </Stack>
          ),
      )}
    </Box>
  );
}
