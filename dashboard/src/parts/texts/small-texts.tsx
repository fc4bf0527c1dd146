import { Anchor, Badge, type BadgeProps, Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

type Props = TextProps & { readonly dir?: 'auto'; readonly children?: ReactNode };

/** A sentence that is less important than what is around it. */
export const Dimmed = (props: Props) => <Text size="sm" c="dimmed" {...props} />;

/** A remark below a text. */
export const Remark = (props: Props) => <Text size="xs" c="dimmed" {...props} />;

/** A property of a record in a word. */
export const Mark = (props: BadgeProps) => (
  <Badge variant="light" tt="none" radius="sm" {...props} />
);

interface LinkProps extends TextProps {
  readonly to: string;
  readonly dir?: 'auto';
  readonly children?: ReactNode;
}

/** A link to another page of the dashboard within a text. */
export const PageLink = (props: LinkProps) => <Anchor component={Link} size="sm" {...props} />;
