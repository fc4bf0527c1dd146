import { Group, Paper, Skeleton, Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { IconArrowDownRight, IconArrowUpRight } from '../../icons/icons.tsx';
import { Dimmed, Remark } from '../texts/small-texts.tsx';

interface Props {
  readonly label: string;
  /** Undefined until it is known. */
  readonly value: ReactNode | undefined;
  readonly hint?: ReactNode;
  /** The change to the range before, as a ratio: 0.1 is 10 % more. */
  readonly change?: number | undefined;
  /** The page with the rows behind the number. */
  readonly to: string;
  /** Whether less is better, as with failures. */
  readonly isBadWhenUp?: boolean;
}

/** A number that opens the rows behind it. */
export function Stat({ label, value, hint, change, to, isBadWhenUp = false }: Props) {
  return (
    <Paper withBorder radius="md" p={0}>
      <UnstyledButton component={Link} to={to} p="md" w="100%" h="100%" display="block">
        <Dimmed>{label}</Dimmed>
        {value === undefined ? (
          <Skeleton h={28} w="60%" mt={6} />
        ) : (
          <Group gap="xs" align="baseline" mt={2}>
            <Text fw={700} fz={26} lh={1.2} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {value}
            </Text>
            {change !== undefined && <Change change={change} isBadWhenUp={isBadWhenUp} />}
          </Group>
        )}
        {hint && <Remark mt={4}>{hint}</Remark>}
      </UnstyledButton>
    </Paper>
  );
}

function Change({
  change,
  isBadWhenUp,
}: {
  readonly change: number;
  readonly isBadWhenUp: boolean;
}) {
  const isUp = change >= 0;
  const color = change === 0 ? 'dimmed' : isUp === isBadWhenUp ? 'red' : 'teal';
  const Icon = isUp ? IconArrowUpRight : IconArrowDownRight;
  const text = new Intl.NumberFormat(undefined, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  }).format(change);
  return (
    <Text size="sm" c={color} span>
      <Icon size={14} /> {text}
    </Text>
  );
}
