import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CommandButton } from '../commands/command-button.tsx';

interface Props {
  readonly topUp: { readonly active: boolean; readonly problem: string | null };
  /** The command that changes it. */
  readonly does: 'updateTopUp' | 'updatePrepaidTopUp';
  readonly onChange: () => void;
  /** Its present action, such as a purchase. */
  readonly state?: ReactNode;
  /** The cells that state what it buys. */
  readonly children: ReactNode;
}

/** A rule that buys credit: its terms, why it has stopped, and its change. */
export function TopUpRow({ topUp: { active, problem }, does, onChange, state, children }: Props) {
  return (
    <Table.Tr c={active ? undefined : 'dimmed'}>
      {children}
      <Table.Td>
        {problem && (
          <Text c="red" size="sm">
            {problem}
          </Text>
        )}
        {!active && !problem && 'Stopped'}
        {state}
      </Table.Td>
      <Table.Td align="right">
        <CommandButton does={does} size="compact-xs" variant="subtle" onClick={onChange}>
          Change
        </CommandButton>
      </Table.Td>
    </Table.Tr>
  );
}
