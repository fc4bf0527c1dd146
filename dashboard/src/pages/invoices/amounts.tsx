import { Paper, SimpleGrid, Text } from '@mantine/core';
import { Money } from '../../parts/money.tsx';
import type { OneInvoiceQuery } from './invoice.generated.ts';

type Settled = Pick<
  NonNullable<OneInvoiceQuery['invoice']>,
  'total' | 'amountPaid' | 'amountCredited' | 'creditApplied' | 'amountDue' | 'currency'
>;

/** The amounts of an invoice or of a document, and how much of them is settled. */
export function Amounts({ invoice }: { readonly invoice: Settled }) {
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
        <Paper key={name} withBorder radius="md" px={{ base: 'sm', md: 'md' }} py="sm" miw={0}>
          <Text size="sm" c="dimmed">
            {name}
          </Text>
          <Money
            amount={amount}
            currency={currency}
            fw={700}
            fz={{ base: 14, md: 20 }}
            c={amount === 0 ? 'dimmed' : undefined}
            style={{ fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' }}
          />
        </Paper>
      ))}
    </SimpleGrid>
  );
}
