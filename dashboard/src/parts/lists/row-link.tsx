import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Remark } from '../texts/small-texts.tsx';

interface Props {
  readonly to: string;
  readonly children: ReactNode;
  /** The text of a column that narrow screens do not show: it is below the link there. */
  readonly below?: ReactNode;
  /** The width from which there is that column. */
  readonly belowUntil?: 'xs' | 'sm';
}

/** The link of a row to its page, by which the keyboard reaches it. Its text is cut where it is too long. */
export function RowLink({ to, children, below, belowUntil = 'xs' }: Props) {
  const link = (
    <Anchor
      component={Link}
      to={to}
      fz="sm"
      fw={500}
      dir="auto"
      display="block"
      maw={{ base: 200, xs: 320 }}
      truncate="end"
    >
      {children}
    </Anchor>
  );
  if (!below) return link;
  return (
    <>
      {link}
      <Remark truncate maw={180} dir="auto" hiddenFrom={belowUntil}>
        {below}
      </Remark>
    </>
  );
}
