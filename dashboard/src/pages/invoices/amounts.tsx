import { Paper, SimpleGrid, Text } from '@mantine/core';
import { Money } from '../../parts/money.tsx';
import type { OneInvoiceQuery } from './invoice.generated.ts';

type Invoice = NonNullable<OneInvoiceQuery['invoice']>;

/** What an invoice amounts to, and how much of it is settled. */
export function Amounts({ invoice }: { readonly invoice: Invoice }) {
  const { total, amountPaid, amountCredited, creditApplied, amountDue, currency } = invoice;
  const amounts = [
    ['Total', total],
    ['Paid', amountPaid],
    ...(creditApplied > 0 ? ([['Paid by credit', creditApplied]] as const) : []),
    ['Credited', amountCredited],
    ['Due', amountDue],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, md: amounts.length }} spacing="sm">
      {amounts.map(([name, amount]) => (
        <Paper key={name} withBorder radius="md" px="md" py="sm" miw={0}>
          <Text size="sm" c="dimmed">
            {name}
          </Text>
          <Money
            amount={amount}
            currency={currency}
            fw={700}
            fz={{ base: 'md', md: 20 }}
            c={amount === 0 ? 'dimmed' : undefined}
            style={{ fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' }}
          />
        </Paper>
      ))}
    </SimpleGrid>
  );
}
