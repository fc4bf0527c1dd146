import { Group, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { wordsOf } from '../parts/texts/formats.ts';
import { Money } from '../parts/texts/money.tsx';
import { StatusBadge } from '../parts/texts/status-badge.tsx';
import type { Effects } from './effects.ts';

type Data = Readonly<Record<string, unknown>>;

/** The money that a command would move: invoices, payments, refunds, credit notes and balances after it. */
export function MoneyEffects({ effects }: { readonly effects: Effects }) {
  const { invoices, lineItems, charges, events } = effects;
  const of = (kind: string) =>
    events.filter(({ objectType }) => objectType === kind).map(({ data }) => data);
  const currencyOf = (payment: unknown) =>
    String(charges.find(({ id }) => id === payment)?.currency ?? charges[0]?.currency ?? 'USD');
  const anyCurrency = invoices[0]?.currency ?? charges[0]?.currency;
  return (
    <>
      {invoices.map((invoice) => (
        <InvoiceEffect
          key={String(invoice.id)}
          invoice={invoice}
          lines={lineItems.filter(({ invoiceId }) => invoiceId === invoice.id)}
        />
      ))}
      {charges.map((charge) => (
        <Row key={String(charge.id)} name="Payment" data={charge} currency={charge.currency}>
          <Part name="refunded" of={charge} amount="refundedAmount" />
          <Part name="added to the credit balance" of={charge} amount="creditedAmount" />
          <Part name="reversed" of={charge} amount="reversedAmount" />
        </Row>
      ))}
      {of('Refund').map((refund) => (
        <Row
          key={String(refund.id)}
          name="Refund"
          data={refund}
          currency={currencyOf(refund.paymentId)}
        />
      ))}
      {of('CreditNote').map((note) => (
        <Row
          key={String(note.id)}
          name={`Credit note ${String(note.creditNoteNumber)}`}
          data={{ ...note, amount: note.total }}
          currency={note.currency}
        >
          {wordsOf(String(note.settlement))}
        </Row>
      ))}
      {of('Remittance').map((receipt) => (
        <Row
          key={String(receipt.id)}
          name="Payment by hand"
          data={receipt}
          currency={receipt.currency}
        />
      ))}
      {anyCurrency !== undefined &&
        of('Customer').map(({ id, creditBalance }) => (
          <Group key={String(id)} justify="space-between">
            <Text size="sm">Credit balance of the customer</Text>
            <Money amount={Number(creditBalance)} currency={String(anyCurrency)} size="sm" />
          </Group>
        ))}
    </>
  );
}

function InvoiceEffect({ invoice, lines }: { readonly invoice: Data; readonly lines: Data[] }) {
  const currency = String(invoice.currency);
  const sums = [
    ['Tax', invoice.taxAmount],
    ['Total', invoice.total],
    ['Credited', invoice.amountCredited],
  ] as const;
  return (
    <Table withTableBorder fz="sm" aria-label="An invoice that changes">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>
            Invoice{' '}
            <span style={{ whiteSpace: 'nowrap' }}>{String(invoice.invoiceNumber ?? '')}</span>
          </Table.Th>
          <Table.Th ta="end">
            <StatusBadge status={String(invoice.status)} />
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map(({ id, description, type, amount, price, quantity }) => (
          <Table.Tr key={String(id)}>
            <Table.Td style={{ overflowWrap: 'anywhere' }} dir="auto">
              {String(description ?? type ?? 'Line')}
            </Table.Td>
            <Table.Td ta="end">
              <Money
                amount={Number(amount ?? Number(price) * Number(quantity))}
                currency={currency}
              />
            </Table.Td>
          </Table.Tr>
        ))}
        {sums
          .filter(([name, amount]) => name === 'Total' || Number(amount) > 0)
          .map(([name, amount]) => (
            <Table.Tr key={name}>
              <Table.Td fw={name === 'Total' ? 600 : undefined}>{name}</Table.Td>
              <Table.Td ta="end">
                <Money
                  amount={Number(amount)}
                  currency={currency}
                  fw={name === 'Total' ? 600 : undefined}
                />
              </Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}

interface RowProps {
  readonly name: string;
  readonly data: Data;
  readonly currency: unknown;
  readonly children?: ReactNode;
}

function Row({ name, data, currency, children }: RowProps) {
  return (
    <Stack gap={0}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="xs">
          <Text size="sm">{name}</Text>
          <StatusBadge status={String(data.status)} />
        </Group>
        <Money amount={Number(data.amount)} currency={String(currency)} fw={600} size="sm" />
      </Group>
      {children && (
        <Text size="xs" c="dimmed" component="div">
          {children}
        </Text>
      )}
    </Stack>
  );
}

interface PartProps {
  readonly name: string;
  readonly of: Data;
  readonly amount: string;
}

function Part({ name, of, amount }: PartProps) {
  const value = Number(of[amount] ?? 0);
  if (value === 0) return null;
  return (
    <div>
      <Money amount={value} currency={String(of.currency)} /> {name}
    </div>
  );
}
