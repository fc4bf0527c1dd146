import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** The link of a row to its page, by which the keyboard reaches it. Its text is cut where it is too long. */
export function RowLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <Anchor
      component={Link}
      to={to}
      fz="sm"
      fw={500}
      dir="auto"
      display="block"
      maw={320}
      truncate="end"
    >
      {children}
    </Anchor>
  );
}
