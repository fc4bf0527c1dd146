import { Group, Stack, Text } from '@mantine/core';
import { AboutSection, idFact, linkFact, moneyFact, timeFact } from '../../../parts/fact-kinds.tsx';
import { RowTable } from '../../../parts/lists/row-table.tsx';
import { Section } from '../../../parts/section.tsx';
import { quantityText, wordsOf } from '../../../parts/texts/formats.ts';
import { Instant } from '../../../parts/texts/instant.tsx';
import { Money } from '../../../parts/texts/money.tsx';
import { Dimmed, PageLink } from '../../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../../parts/texts/status-badge.tsx';
import { taxRows } from '../../../parts/texts/tax-texts.ts';
import type { OneCreditNoteQuery } from './credit-note.generated.ts';
import { settlementText } from './credit-note-texts.ts';

type Note = NonNullable<OneCreditNoteQuery['creditNote']>;

/** The amounts and the settlement of a credit note. */
export function CreditNoteAbout({ note }: { readonly note: Note }) {
  const { currency, setOffInvoice } = note;
  const money = (name: string, amount: number) => amount > 0 && moneyFact(name, amount, currency);
  return (
    <AboutSection
      facts={[
        moneyFact('Total', note.total, currency),
        ...taxRows(note).map(([name, amount]) => moneyFact(name, amount, currency)),
        ['Settlement', settlementText(note.settlement)],
        money('Refunded', note.refundedAmount),
        money('Added to the credit balance', note.creditedAmount),
        money('Written off', note.writtenOffAmount),
        money('Set off', note.setOffAmount),
        ['Reason', wordsOf(note.reason)],
        note.description && ['Description', note.description],
        linkFact('Invoice', `/invoices/${note.invoice.id}`, note.invoice.invoiceNumber),
        setOffInvoice &&
          linkFact('Set off on', `/invoices/${setOffInvoice.id}`, setOffInvoice.invoiceNumber),
        timeFact('Issued', note.issuedAt),
        idFact(note.id),
      ]}
    />
  );
}

/** The lines of a credit note. */
export function CreditedLines({ note: { lines, currency } }: { readonly note: Note }) {
  return (
    <Section title="Lines">
      <RowTable
        label="Lines of the credit note"
        hasHead
        rows={lines.map((line) => ({
          ...line,
          id: `${line.invoiceLineItemId}${line.description}`,
        }))}
        columns={[
          {
            name: 'Description',
            cell: ({ description }) => (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }} dir="auto">
                {description}
              </Text>
            ),
          },
          {
            name: 'Quantity',
            isNumber: true,
            from: 'xs',
            cell: ({ quantity }) => (quantity === null ? '—' : quantityText(quantity)),
          },
          {
            name: 'Amount',
            isNumber: true,
            cell: ({ amount }) => <Money amount={amount} currency={currency} />,
          },
          {
            name: 'Tax',
            isNumber: true,
            from: 'xs',
            cell: ({ taxAmount }) => <Money amount={taxAmount} currency={currency} />,
          },
        ]}
      />
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
