import { Group, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Facts } from '../../../parts/facts.tsx';
import { Section } from '../../../parts/section.tsx';
import { quantityText, wordsOf } from '../../../parts/texts/formats.ts';
import { IdText } from '../../../parts/texts/id-text.tsx';
import { Instant } from '../../../parts/texts/instant.tsx';
import { Money } from '../../../parts/texts/money.tsx';
import { Dimmed, PageLink } from '../../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../../parts/texts/status-badge.tsx';
import { taxRows } from '../../../parts/texts/tax-texts.ts';
import type { OneCreditNoteQuery } from './credit-note.generated.ts';
import { settlementText } from './credit-note-texts.ts';

type Note = NonNullable<OneCreditNoteQuery['creditNote']>;
type Fact = readonly [string, ReactNode];

/** The amounts and the settlement of a credit note. */
export function CreditNoteAbout({ note }: { readonly note: Note }) {
  const { currency, setOffInvoice } = note;
  const money = (amount: number) => <Money key="amount" amount={amount} currency={currency} />;
  const amounts: readonly (readonly [string, number])[] = [
    ['Refunded', note.refundedAmount],
    ['Added to the credit balance', note.creditedAmount],
    ['Written off', note.writtenOffAmount],
    ['Set off', note.setOffAmount],
  ];
  const facts: Fact[] = [
    ['Total', money(note.total)],
    ...taxRows(note).map(([name, amount]): Fact => [name, money(amount)]),
    ['Settlement', settlementText(note.settlement)],
    ...amounts.filter(([, amount]) => amount > 0).map(([name, of]): Fact => [name, money(of)]),
    ['Reason', wordsOf(note.reason)],
    ...(note.description ? ([['Description', note.description]] as const) : []),
    [
      'Invoice',
      <PageLink key="invoice" to={`/invoices/${note.invoice.id}`}>
        {note.invoice.invoiceNumber}
      </PageLink>,
    ],
    ...(setOffInvoice
      ? ([
          [
            'Set off on',
            <PageLink key="setOff" to={`/invoices/${setOffInvoice.id}`}>
              {setOffInvoice.invoiceNumber}
            </PageLink>,
          ],
        ] as const)
      : []),
    ['Issued', <Instant key="issued" at={note.issuedAt} />],
    ['Id', <IdText key="id" id={note.id} />],
  ];
  return (
    <Section title="About">
      <Facts facts={facts} />
    </Section>
  );
}

/** The lines of a credit note. */
export function CreditedLines({ note: { lines, currency } }: { readonly note: Note }) {
  return (
    <Section title="Lines">
      <Table fz="sm" aria-label="Lines of the credit note">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Description</Table.Th>
            <Table.Th ta="end" visibleFrom="xs">
              Quantity
            </Table.Th>
            <Table.Th ta="end">Amount</Table.Th>
            <Table.Th ta="end" visibleFrom="xs">
              Tax
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map(({ description, quantity, amount, taxAmount, invoiceLineItemId }) => (
            <Table.Tr key={`${invoiceLineItemId}${description}`}>
              <Table.Td style={{ overflowWrap: 'anywhere' }} dir="auto">
                {description}
              </Table.Td>
              <Table.Td ta="end" visibleFrom="xs">
                {quantity === null ? '—' : quantityText(quantity)}
              </Table.Td>
              <Table.Td ta="end">
                <Money amount={amount} currency={currency} />
              </Table.Td>
              <Table.Td ta="end" visibleFrom="xs">
                <Money amount={taxAmount} currency={currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

/** The refunds by which a credit note is settled. */
export function CreditNoteRefunds({ note: { refunds, currency } }: { readonly note: Note }) {
  if (refunds.nodes.length === 0) return null;
  return (
    <Section title="Refunds">
      <Stack gap="sm">
        {refunds.nodes.map(({ id, amount, status, createdAt, failureMessage, payment }) => (
          <Group key={id} justify="space-between">
            <Group gap="xs">
              <Money amount={amount} currency={currency} size="sm" />
              <StatusBadge status={status} />
              {failureMessage && <Text size="sm">{failureMessage}</Text>}
            </Group>
            <Dimmed>
              of the{' '}
              <PageLink to={`/payments/${payment.id}`}>
                payment of <Money amount={payment.amount} currency={payment.currency} />
              </PageLink>
              , <Instant at={createdAt} />
            </Dimmed>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
