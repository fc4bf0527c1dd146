import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { Money } from '../texts/money.tsx';

interface Props {
  /** The name of the table for screen readers. */
  readonly label: string;
  readonly currency: string;
  /** The names and the amounts that are added up. */
  readonly lines: readonly (readonly [name: ReactNode, amount: number])[];
  /** The amount below them, which counts. */
  readonly due: readonly [name: ReactNode, amount: number];
  readonly isFramed?: boolean;
}

/** Amounts below each other, above what is due. */
export function AmountsTable({ label, currency, lines, due, isFramed = false }: Props) {
  return (
    <Table fz="sm" withTableBorder={isFramed} aria-label={label}>
      <Table.Tbody>
        {[...lines, due].map(([name, amount], place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no ids, and all change together
          <Table.Tr key={place} fw={place === lines.length ? 600 : undefined}>
            <Table.Td>{name}</Table.Td>
            <Table.Td ta="end">
              <Money amount={amount} currency={currency} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
