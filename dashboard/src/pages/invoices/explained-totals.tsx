import { Anchor, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { moneyText, wordsOf } from '../../parts/formats.ts';
import { Instant } from '../../parts/instant.tsx';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import type { Explained } from './explanation-texts.ts';
import { taxText } from './invoice-texts.ts';

type Payment = Explained['invoice']['paymentsPage']['nodes'][number];

/** From the lines to the total, and from the total to what is due. */
export function ExplainedTotals({
  explained: { invoice, lines },
}: {
  readonly explained: Explained;
}) {
  const { currency, subtotal, taxAmount, taxInclusive, taxType, taxRatePercentage } = invoice;
  const { total, amountPaid, creditApplied, amountCredited, amountDue } = invoice;
  const money = (amount: number) => moneyText(amount, currency);
  const rate = taxRatePercentage ?? '0';
  const hasTax = taxType !== null && taxType !== 'none' && taxRatePercentage !== null;
  return (
    <Section title="From the lines to what is due">
      <Table fz="sm" aria-label="From the lines to what is due">
        <Table.Tbody>
          <Row name="Lines" amount={subtotal} currency={currency}>
            {lines.length > 1 &&
              lines.length <= 8 &&
              lines.map(({ amount }) => money(amount)).join(' + ')}
          </Row>
          {hasTax && (
            <Row
              name={taxInclusive ? `of which ${taxText(taxType, rate)}` : taxText(taxType, rate)}
              amount={taxAmount}
              currency={currency}
            >
              {taxInclusive
                ? `${money(subtotal)} × ${rate} ÷ (100 + ${rate}), rounded half up`
                : `${money(subtotal)} × ${rate} ÷ 100, rounded half up`}
            </Row>
          )}
          <Row name="Total" amount={total} currency={currency} isBold />
          {creditApplied > 0 && (
            <Row name="Paid by credit" amount={-creditApplied} currency={currency}>
              The customer’s credit balance paid a part.
            </Row>
          )}
          {invoice.paymentsPage.nodes.map((payment) => (
            <PaymentRow key={payment.id} payment={payment} currency={currency} />
          ))}
          <Row name="Paid and not refunded" amount={amountPaid} currency={currency} />
          {invoice.creditNotes.nodes.map(({ id, creditNoteNumber, total, reason }) => (
            <Row
              key={id}
              name={
                <Anchor component={Link} to={`/invoices/credit-notes/${id}`} size="sm">
                  Credit note {creditNoteNumber}
                </Anchor>
              }
              amount={-total}
              currency={currency}
            >
              {wordsOf(reason)}
            </Row>
          ))}
          {amountCredited > 0 && invoice.creditNotes.nodes.length > 1 && (
            <Row name="Credited" amount={amountCredited} currency={currency} />
          )}
          <Row name="Due" amount={amountDue} currency={currency} isBold>
            {invoice.status === 'void' && 'A void invoice is not owed.'}
            {invoice.status === 'draft' && 'A draft is not owed until it is finalized.'}
            {invoice.status === 'uncollectible' && 'An uncollectible invoice is written off.'}
          </Row>
        </Table.Tbody>
      </Table>
    </Section>
  );
}

interface RowProps {
  readonly name: ReactNode;
  readonly amount: number;
  readonly currency: string;
  readonly isBold?: boolean;
  readonly children?: ReactNode;
}

function Row({ name, amount, currency, isBold = false, children }: RowProps) {
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td>
        <Text size="sm" fw={isBold ? 700 : 500} component="div">
          {name}
        </Text>
        {children && (
          <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
            {children}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="end">
        <Money amount={amount} currency={currency} fw={isBold ? 700 : undefined} />
      </Table.Td>
    </Table.Tr>
  );
}

function PaymentRow({
  payment,
  currency,
}: {
  readonly payment: Payment;
  readonly currency: string;
}) {
  const { id, status, amount, refundedAmount, creditedAmount, reversedAmount } = payment;
  const parts = [
    refundedAmount > 0 && `${moneyText(refundedAmount, currency)} refunded`,
    creditedAmount > 0 && `${moneyText(creditedAmount, currency)} added to the credit balance`,
    reversedAmount > 0 && `${moneyText(reversedAmount, currency)} reversed or lost in a dispute`,
    payment.failureMessage,
  ].filter(Boolean);
  const isMoney = status === 'succeeded' || status === 'refunded';
  return (
    <Row
      name={
        <>
          <Anchor component={Link} to={`/payments/${id}`} size="sm">
            {payment.isExternal ? wordsOf(payment.paymentMethod) : 'Charge'}
          </Anchor>{' '}
          on <Instant at={payment.chargeDate} /> <StatusBadge status={status} />
        </>
      }
      amount={isMoney ? -amount : 0}
      currency={currency}
    >
      {!isMoney && `An attempt of ${moneyText(amount, currency)}. `}
      {parts.join(', ')}
    </Row>
  );
}
