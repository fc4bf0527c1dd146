import { Paper, SimpleGrid } from '@mantine/core';
import { Money } from '../../parts/texts/money.tsx';
import { Dimmed } from '../../parts/texts/small-texts.tsx';
import type { OneInvoiceQuery } from './invoice.generated.ts';

type Settled = Pick<
  NonNullable<OneInvoiceQuery['invoice']>,
  'total' | 'amountPaid' | 'amountCredited' | 'creditApplied' | 'amountDue' | 'currency'
> & { readonly status: string };

/** The amount that is neither paid nor credited nor due, by the status of its invoice. */
const others: Readonly<Record<string, string>> = {
  refunded: 'Refunded',
  partially_refunded: 'Refunded',
  void: 'Void',
  uncollectible: 'Written off',
};

/** The amounts of an invoice or of a document: the total less all that follow is due. */
export function Amounts({ invoice }: { readonly invoice: Settled }) {
  const { total, amountPaid, amountCredited, creditApplied, amountDue, currency, status } = invoice;
  // A credit for what was paid is money of the customer again.
  const other = total - amountPaid - amountCredited - amountDue;
  const amounts = [
    ['Total', total],
    ['Paid', amountPaid - creditApplied],
    ...(creditApplied > 0 ? ([['Paid by credit', creditApplied]] as const) : []),
    ['Credited', amountCredited],
    ...(other === 0
      ? []
      : ([[other < 0 ? 'To the balance' : (others[status] ?? 'Settled'), other]] as const)),
    ['Due', amountDue],
  ] as const;
  return (
    <SimpleGrid
      role="group"
      aria-label="Amounts"
      cols={{ base: 2, md: amounts.length }}
      spacing="sm"
    >
      {amounts.map(([name, amount]) => (
        <Paper key={name} withBorder radius="md" px={{ base: 'sm', md: 'md' }} py="sm" miw={0}>
          <Dimmed>{name}</Dimmed>
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
