import { Badge, Group, Stack, Table, Text } from '@mantine/core';
import { wordsOf } from '../parts/formats.ts';
import { Money } from '../parts/money.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import type { Effects } from './effects.ts';

/** The exact effects of a command, before it is executed. */
export function EffectsList({ effects }: { readonly effects: Effects }) {
  const { invoices, lineItems, charges, entitlements, events } = effects;
  if (events.length === 0) return <Text size="sm">Nothing would change.</Text>;
  return (
    <Stack gap="sm">
      {invoices.map((invoice) => (
        <Table
          key={String(invoice.id)}
          withTableBorder
          fz="sm"
          aria-label="An invoice that changes"
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Invoice {String(invoice.invoiceNumber ?? '')}</Table.Th>
              <Table.Th ta="end">
                <StatusBadge status={String(invoice.status)} />
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lineItems
              .filter((line) => line.invoiceId === invoice.id)
              .map((line) => (
                <Table.Tr key={String(line.id)}>
                  <Table.Td>{String(line.description ?? line.type ?? 'Line')}</Table.Td>
                  <Table.Td ta="end">
                    <Money
                      amount={Number(line.price ?? 0) * Number(line.quantity ?? 1)}
                      currency={String(invoice.currency)}
                    />
                  </Table.Td>
                </Table.Tr>
              ))}
          </Table.Tbody>
        </Table>
      ))}
      {charges.map((charge) => (
        <Group key={String(charge.id)} justify="space-between">
          <Group gap="xs">
            <Text size="sm">Payment</Text>
            <StatusBadge status={String(charge.status)} />
          </Group>
          <Money amount={Number(charge.amount)} currency={String(charge.currency)} fw={600} />
        </Group>
      ))}
      {entitlements.length > 0 && (
        <Text size="sm">
          {entitlements.length}{' '}
          {entitlements.length === 1 ? 'entitlement changes' : 'entitlements change'}
        </Text>
      )}
      <Group gap={6}>
        {countsOf(events.map(({ type }) => type)).map(([type, count]) => (
          <Badge key={type} variant="default" tt="none" fw={500}>
            {wordsOf(type)}
            {count > 1 && ` × ${count}`}
          </Badge>
        ))}
      </Group>
    </Stack>
  );
}

function countsOf(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts];
}
