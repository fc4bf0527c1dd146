import { Group, Stack } from '@mantine/core';
import { RowButton } from '../../commands/command-button.tsx';
import { Section } from '../../parts/section.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Money } from '../../parts/texts/money.tsx';
import { PaymentLink } from '../../parts/texts/payment-link.tsx';
import { Dimmed, PageLink, Remark } from '../../parts/texts/small-texts.tsx';
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
  return (
    <>
      <Section title="Payments and attempts">
        <Stack gap="sm">
          {paymentsPage.nodes.length === 0 && <Dimmed>Nothing has been paid or charged</Dimmed>}
          {paymentsPage.nodes.map((payment) => (
            <Attempt key={payment.id} payment={payment} />
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
                    <PageLink to={`/invoices/credit-notes/${note.id}`}>
                      {note.creditNoteNumber}
                    </PageLink>
                    {note.status !== 'settled' && <StatusBadge status={note.status} />}
                  </Group>
                  <Money amount={note.total} currency={currency} size="sm" />
                </Group>
                <Remark>
                  {wordsOf(note.reason)}. {settlementText(note.settlement)},{' '}
                  <Instant at={note.issuedAt} />
                </Remark>
              </div>
            ))}
          </Stack>
        </Section>
      )}
    </>
  );
}

function Attempt({ payment }: { readonly payment: Payment }) {
  const { currency, status } = payment;
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <PaymentLink payment={payment} currency={currency} />
          <StatusBadge status={status} />
        </Group>
        {status === 'succeeded' && (
          <RowButton
            does="refundPayment"
            dialog={(onClose) => <RefundDialog payment={payment} onClose={onClose} />}
          >
            Refund
          </RowButton>
        )}
      </Group>
      <ChargeText charge={payment} currency={currency} />
    </div>
  );
}
