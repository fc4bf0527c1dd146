import { Table, Text } from '@mantine/core';
import { numberText } from '../../parts/formats.ts';
import { Instant } from '../../parts/instant.tsx';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/section.tsx';
import type { OneSubscriptionQuery } from './subscription.generated.ts';

type Upcoming = NonNullable<OneSubscriptionQuery['upcomingInvoice']>;

/** The next invoice of a subscription, as it would be now. */
export function Upcoming({ invoice }: { readonly invoice: Upcoming }) {
  const { currency, lines } = invoice;
  const sums = [
    ['Tax', invoice.taxAmount],
    ['Credit', -invoice.creditApplied],
    ['Due', invoice.amountDue],
  ] as const;
  return (
    <Section title="Upcoming invoice">
      <Text size="sm" c="dimmed" mb="xs">
        <Instant at={invoice.invoiceDate} />
      </Text>
      <Table fz="sm" aria-label="Lines of the upcoming invoice">
        <Table.Tbody>
          {lines.map(({ description, quantity, amount }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no ids, and all change together
            <Table.Tr key={place}>
              <Table.Td>
                {description} {quantity !== 1 && `× ${numberText(quantity)}`}
              </Table.Td>
              <Table.Td ta="end">
                <Money amount={amount} currency={currency} />
              </Table.Td>
            </Table.Tr>
          ))}
          {sums.map(
            ([name, amount]) =>
              (amount !== 0 || name === 'Due') && (
                <Table.Tr key={name} fw={name === 'Due' ? 600 : undefined}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td ta="end">
                    <Money amount={amount} currency={currency} />
                  </Table.Td>
                </Table.Tr>
              ),
          )}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
