import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../../../parts/section.tsx';
import { moneyText, wordsOf } from '../../../parts/texts/formats.ts';
import { Instant } from '../../../parts/texts/instant.tsx';
import { Money } from '../../../parts/texts/money.tsx';
import { PageLink } from '../../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../../parts/texts/status-badge.tsx';
import { type TaxOfDocument, taxRows } from '../../../parts/texts/tax-texts.ts';
import type { Explained } from './explanation-texts.ts';

type Payment = Explained['invoice']['paymentsPage']['nodes'][number];

/** From the lines to the total, and from the total to what is due. */
export function ExplainedTotals({
  explained: { invoice, lines },
}: {
  readonly explained: Explained;
}) {
  const { currency, subtotal, taxInclusive } = invoice;
  const { total, amountPaid, creditApplied, amountDue } = invoice;
  const money = (amount: number) => moneyText(amount, currency);
  const hasRefund = invoice.paymentsPage.nodes.some(({ refundedAmount }) => refundedAmount > 0);
  return (
    <Section title="From the lines to what is due">
      <Table fz="sm" aria-label="From the lines to what is due">
        <Table.Tbody>
          <Row name="Lines" amount={subtotal} currency={currency}>
            {lines.length > 1 &&
              lines.length <= 8 &&
              lines.map(({ amount }) => money(amount)).join(' + ')}
          </Row>
          {taxRows(invoice).map(([name, amount, tax], place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two taxes may have one name, and all change together
            <Row key={place} name={name} amount={amount} currency={currency}>
              {taxDerivation(tax, {
                isOnly: invoice.taxes.length === 1,
                taxInclusive,
                subtotal,
                money,
              })}
            </Row>
          ))}
          <Row name="Total" amount={total} currency={currency} isBold />
          {creditApplied > 0 && (
            <Row name="Paid by credit" amount={-creditApplied} currency={currency}>
              The customer’s credit balance paid a part.
            </Row>
          )}
          {invoice.paymentsPage.nodes.map((payment) => (
            <PaymentRow key={payment.id} payment={payment} currency={currency} />
          ))}
          <Row
            name={hasRefund ? 'Paid and not refunded' : 'Paid'}
            amount={-amountPaid}
            currency={currency}
          />
          {invoice.creditNotes.nodes.map(({ id, creditNoteNumber, total, reason }) => (
            <Row
              key={id}
              name={
                <PageLink to={`/invoices/credit-notes/${id}`}>
                  Credit note {creditNoteNumber}
                </PageLink>
              }
              amount={-total}
              currency={currency}
            >
              {wordsOf(reason)}
            </Row>
          ))}
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

interface Derived {
  readonly isOnly: boolean;
  readonly taxInclusive: boolean;
  readonly subtotal: number;
  readonly money: (amount: number) => string;
}

/** How a tax follows from its base, in words. */
function taxDerivation(tax: TaxOfDocument, { isOnly, taxInclusive, subtotal, money }: Derived) {
  const { ratePercentage: rate, compound, reason, base } = tax;
  if (reason) return reason;
  if (taxInclusive && isOnly)
    return `${money(subtotal)} × ${rate} ÷ (100 + ${rate}), rounded half up`;
  const from = compound ? `${money(base)} with the taxes before it` : money(base);
  return taxInclusive
    ? `The lines contain it; its base is ${from}`
    : `${from} × ${rate} ÷ 100, rounded half up`;
}

interface RowProps {
  readonly name: ReactNode;
  /** Absent for a row that the next sum contains. */
  readonly amount?: number;
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
        {amount !== undefined && (
          <Money amount={amount} currency={currency} fw={isBold ? 700 : undefined} />
        )}
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
  return (
    <Row
      name={
        <>
          <PageLink to={`/payments/${id}`}>
            {payment.isExternal ? wordsOf(payment.paymentMethod) : 'Charge'}
          </PageLink>{' '}
          on <Instant at={payment.chargeDate} /> <StatusBadge status={status} />
        </>
      }
      currency={currency}
    >
      {[moneyText(amount, currency), ...parts].join(', ')}
    </Row>
  );
}
