import { Table } from '@mantine/core';
import { Section } from '../../parts/section.tsx';
import { numberText, wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Dimmed } from '../../parts/texts/small-texts.tsx';
import type { OneUsageEventQuery } from './usage-events.generated.ts';

type Row = OneUsageEventQuery['ledgerTransactions']['nodes'][number];

const amounts = [
  ['usage', 'Usage'],
  ['credits', 'From credits'],
  ['overage', 'Beyond credits'],
  ['billed', 'Billed'],
] as const;

interface Props {
  readonly rows: readonly Row[];
  /** The amount of the event. */
  readonly amount: number;
}

/** The changes of balances that a usage event caused, alone or with the events that were recorded with it. */
export function AffectedBalances({ rows, amount }: Props) {
  const isShared = rows.some(({ type, usage }) => type === 'usage_recorded' && usage > amount);
  return (
    <Section title="Balances">
      {isShared && (
        <Dimmed>The change includes other events that were recorded together with this one.</Dimmed>
      )}
      {rows.length === 0 ? (
        <Dimmed>It changed no balance by itself.</Dimmed>
      ) : (
        <Table.ScrollContainer minWidth={560} type="native" tabIndex={0}>
          <Table fz="sm" aria-label="Changes of balances">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Change</Table.Th>
                <Table.Th>Balance</Table.Th>
                {amounts.map(([name, label]) => (
                  <Table.Th key={name} ta="end">
                    {label}
                  </Table.Th>
                ))}
                <Table.Th>At</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.id}>
                  <Table.Td>{wordsOf(row.type)}</Table.Td>
                  <Table.Td>
                    {row.balance
                      ? `${row.balance.name}: ${numberText(row.balance.available)} available now`
                      : '—'}
                  </Table.Td>
                  {amounts.map(([name]) => (
                    <Table.Td key={name} ta="end" c={row[name] === 0 ? 'dimmed' : undefined}>
                      {signedText(row[name])}
                    </Table.Td>
                  ))}
                  <Table.Td>
                    <Instant at={row.createdAt} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Section>
  );
}

const signedText = (amount: number) => (amount > 0 ? `+${numberText(amount)}` : numberText(amount));
