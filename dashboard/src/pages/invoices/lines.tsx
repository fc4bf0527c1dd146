import { Table, Text } from '@mantine/core';
import { numberText, wordsOf } from '../../parts/formats.ts';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/section.tsx';
import type { OneInvoiceQuery } from './invoice.generated.ts';

type Invoice = NonNullable<OneInvoiceQuery['invoice']>;

/** The lines of an invoice and its sums. */
export function Lines({ invoice }: { readonly invoice: Invoice }) {
  const { lineItems, currency, taxType, taxRatePercentage, taxInclusive } = invoice;
  const tax = taxType ? `${wordsOf(taxType)} ${taxRatePercentage ?? ''} %` : 'Tax';
  const sums = [
    ['Subtotal', invoice.subtotal, true],
    [taxInclusive ? `of which ${tax}` : tax, invoice.taxAmount, false],
    ['Total', invoice.total, true],
    ['Credit applied', -invoice.creditApplied, false],
    ['Paid', -invoice.amountPaid, false],
    ['Credited', -invoice.amountCredited, false],
    ['Due', invoice.amountDue, true],
  ] as const;
  return (
    <Section title="Lines">
      <Table.ScrollContainer minWidth={440} type="native">
        <Table fz="sm" aria-label="Lines of the invoice">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Description</Table.Th>
              <Table.Th ta="end">Quantity</Table.Th>
              <Table.Th ta="end">Price</Table.Th>
              <Table.Th ta="end">Amount</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lineItems.map(({ id, description, quantity, price, amount }) => (
              <Table.Tr key={id}>
                <Table.Td dir="auto">
                  <Text size="sm" span style={{ overflowWrap: 'anywhere' }}>
                    {description}
                  </Text>
                </Table.Td>
                <Table.Td ta="end">{numberText(quantity)}</Table.Td>
                <Table.Td ta="end">
                  <Money amount={price} currency={currency} />
                </Table.Td>
                <Table.Td ta="end">
                  <Money amount={amount} currency={currency} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            {sums.map(
              ([name, amount, isAlways]) =>
                (isAlways || amount !== 0) && (
                  <Table.Tr key={name}>
                    <Table.Th colSpan={3} ta="end" fw={name === 'Due' ? 700 : 500}>
                      {name}
                    </Table.Th>
                    <Table.Td ta="end" fw={name === 'Due' ? 700 : 500}>
                      <Money amount={amount} currency={currency} />
                    </Table.Td>
                  </Table.Tr>
                ),
            )}
          </Table.Tfoot>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}
