import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly href: string;
  readonly children: ReactNode;
}

/** A link to another site in a new tab. An address that is no web address, such as a script, is shown as text. */
export function OutsideLink({ href, children }: Props) {
  if (!/^https?:\/\//i.test(href)) return <Text size="sm">{href}</Text>;
  return (
    <Anchor href={href} target="_blank" rel="noreferrer" size="sm">
      {children}
    </Anchor>
  );
}
