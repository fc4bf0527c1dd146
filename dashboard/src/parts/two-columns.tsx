import { Grid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly wide: ReactNode;
  readonly narrow: ReactNode;
  /** How many twelfths of a wide window the wide column has. */
  readonly span?: 7 | 8;
}

/** A wide and a narrow column, which are below each other in a narrow window. */
export const TwoColumns = ({ wide, narrow, span = 8 }: Props) => (
  <Grid>
    <Grid.Col span={{ base: 12, lg: span }}>
      <Stack>{wide}</Stack>
    </Grid.Col>
    <Grid.Col span={{ base: 12, lg: 12 - span }}>
      <Stack>{narrow}</Stack>
    </Grid.Col>
  </Grid>
);
