import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { CommandButton } from '../../commands/command-button.tsx';
import { Section } from '../../parts/section.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Money } from '../../parts/texts/money.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import { RefundDialog } from '../payments/refund-dialog.tsx';
import { ChargeText } from './charge-text.tsx';
import { settlementText } from './credit-notes/credit-note-texts.ts';
import type { OneInvoiceQuery } from './invoice.generated.ts';

type Invoice = NonNullable<OneInvoiceQuery['invoice']>;
type Payment = Invoice['paymentsPage']['nodes'][number];

/** The payments of an invoice with each attempt, and its credit notes. */
export function Settlement({ invoice }: { readonly invoice: Invoice }) {
  const { paymentsPage, creditNotes, currency } = invoice;
  const [refunded, setRefunded] = useState<Payment>();
  return (
    <>
      <Section title="Payments and attempts">
        <Stack gap="sm">
          {paymentsPage.nodes.length === 0 && (
            <Text size="sm" c="dimmed">
              Nothing has been paid or charged
            </Text>
          )}
          {paymentsPage.nodes.map((payment) => (
            <Attempt key={payment.id} payment={payment} onRefund={() => setRefunded(payment)} />
          ))}
        </Stack>
      </Section>
      {creditNotes.nodes.length > 0 && (
        <Section title="Credit notes">
          <Stack gap="sm">
            {creditNotes.nodes.map((note) => (
              <div key={note.id}>
                <Group justify="space-between" wrap="nowrap">
                  <Group gap="xs">
                    <Anchor component={Link} to={`/invoices/credit-notes/${note.id}`} size="sm">
                      {note.creditNoteNumber}
                    </Anchor>
                    {note.status !== 'settled' && <StatusBadge status={note.status} />}
                  </Group>
                  <Money amount={note.total} currency={currency} size="sm" />
                </Group>
                <Text size="xs" c="dimmed">
                  {wordsOf(note.reason)}. {settlementText(note.settlement)},{' '}
                  <Instant at={note.issuedAt} />
                </Text>
              </div>
            ))}
          </Stack>
        </Section>
      )}
      {refunded && <RefundDialog payment={refunded} onClose={() => setRefunded(undefined)} />}
    </>
  );
}

function Attempt({
  payment,
  onRefund,
}: {
  readonly payment: Payment;
  readonly onRefund: () => void;
}) {
  const { id, amount, currency, status } = payment;
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Anchor component={Link} to={`/payments/${id}`} size="sm">
            <Money amount={amount} currency={currency} />
          </Anchor>
          <StatusBadge status={status} />
        </Group>
        {status === 'succeeded' && (
          <CommandButton does="refundPayment" size="compact-xs" variant="subtle" onClick={onRefund}>
            Refund
          </CommandButton>
        )}
      </Group>
      <ChargeText charge={payment} currency={currency} />
    </div>
  );
}
