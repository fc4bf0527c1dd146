import { Box, Table, Text } from '@mantine/core';
import { Fragment } from 'react';
import { Section } from '../../parts/section.tsx';
import { quantityText } from '../../parts/texts/formats.ts';
import { Money } from '../../parts/texts/money.tsx';
import { PriceParts } from '../../parts/texts/price-parts.tsx';
import { Mark, PageLink, Remark } from '../../parts/texts/small-texts.tsx';
import { taxRows } from '../../parts/texts/tax-texts.ts';
import type { OneInvoiceQuery } from './invoice.generated.ts';
import classes from './lines.module.css';

type Invoice = NonNullable<OneInvoiceQuery['invoice']>;
type Line = Invoice['lineItems'][number];

/** The lines of an invoice and its sums. */
export function Lines({ invoice }: { readonly invoice: Invoice }) {
  const { lineItems, currency, id } = invoice;
  return (
    <Section
      title="Lines"
      actions={<PageLink to={`/invoices/${id}?tab=explanation`}>Explain the amounts</PageLink>}
    >
      <Table fz="sm" aria-label="Lines of the invoice" layout="auto">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Description</Table.Th>
            <Table.Th ta="end" visibleFrom="sm">
              Quantity
            </Table.Th>
            <Table.Th ta="end" visibleFrom="sm">
              Price
            </Table.Th>
            <Table.Th ta="end">Amount</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lineItems.map((line) => (
            <LineRow key={line.id} line={line} currency={currency} />
          ))}
        </Table.Tbody>
      </Table>
      <Sums invoice={invoice} />
    </Section>
  );
}

function LineRow({ line, currency }: { readonly line: Line; readonly currency: string }) {
  const { description, type, quantity, price, amount, priceParts, catalogPrice } = line;
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }} dir="auto">
          {description ?? '—'}
        </Text>
        <PriceParts
          parts={priceParts ?? []}
          currency={currency}
          perUnit={catalogPrice?.usageEventsPerUnit ?? null}
        />
        {type === 'discount' && <Mark color="grape">Discount</Mark>}
        <Remark hiddenFrom="sm">
          {quantityText(quantity)} × <Money amount={price} currency={currency} />
        </Remark>
      </Table.Td>
      <Table.Td ta="end" visibleFrom="sm">
        {quantityText(quantity)}
      </Table.Td>
      <Table.Td ta="end" visibleFrom="sm">
        <Money amount={price} currency={currency} />
      </Table.Td>
      <Table.Td ta="end">
        <Money amount={amount} currency={currency} />
      </Table.Td>
    </Table.Tr>
  );
}

function Sums({ invoice }: { readonly invoice: Invoice }) {
  const { currency, taxes } = invoice;
  const sums = [
    ['Subtotal', invoice.subtotal, true],
    ...taxRows(invoice).map(([name, amount]) => [name, amount, true] as const),
    ['Total', invoice.total, true],
    ['Paid by credit', -invoice.creditApplied, false],
    ['Paid', -invoice.amountPaid, false],
    ['Credited', -invoice.amountCredited, false],
    ['Due', invoice.amountDue, true],
  ] as const;
  const reasons = new Set(taxes.flatMap(({ reason }) => reason ?? []));
  return (
    <>
      <Box component="dl" className={classes.sums}>
        {sums
          .filter(([, amount, isAlways]) => isAlways || amount !== 0)
          .map(([name, amount], place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two taxes may have one name, and all change together
            <Fragment key={place}>
              <Text component="dt" size="sm" fw={name === 'Due' ? 700 : 500}>
                {name}
              </Text>
              <Text component="dd" size="sm" m={0} ta="end">
                <Money amount={amount} currency={currency} fw={name === 'Due' ? 700 : undefined} />
              </Text>
            </Fragment>
          ))}
      </Box>
      {[...reasons].map((reason) => (
        <Remark key={reason} ta="end">
          {reason}
        </Remark>
      ))}
    </>
  );
}
