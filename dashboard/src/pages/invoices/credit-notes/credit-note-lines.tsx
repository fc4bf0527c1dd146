import { Group, Stack, Text } from '@mantine/core';
import { DecimalField } from '../../../parts/fields/number-field.tsx';
import { quantityText } from '../../../parts/texts/formats.ts';
import { Money } from '../../../parts/texts/money.tsx';
import type { OneInvoiceQuery } from '../invoice.generated.ts';

type Invoice = NonNullable<OneInvoiceQuery['invoice']>;

/** The credited quantities, by the ids of the lines. */
export type CreditedLines = Readonly<Record<string, string>>;

interface Props {
  readonly invoice: Invoice;
  readonly credited: CreditedLines;
  readonly onChange: (credited: CreditedLines) => void;
}

/** The lines of an invoice, each with the quantity that is credited. */
export function CreditNoteLines({ invoice: { lineItems, currency }, credited, onChange }: Props) {
  return (
    <Stack gap="xs">
      {lineItems
        .filter(({ type }) => type !== 'discount')
        .map(({ id, description, quantity, amount }) => (
          <Group key={id} justify="space-between" wrap="nowrap" align="flex-start">
            <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
              {description ?? '—'} <Money amount={amount} currency={currency} c="dimmed" />
            </Text>
            <DecimalField
              label={`Quantity of ${quantityText(quantity)}`}
              w={130}
              style={{ flexShrink: 0 }}
              max={quantity}
              decimals={9}
              value={credited[id] ?? ''}
              onChange={(value) => onChange({ ...credited, [id]: value })}
            />
          </Group>
        ))}
    </Stack>
  );
}

/** The lines of a credit note; undefined while no quantity is given. */
export function creditedLinesInput(credited: CreditedLines) {
  const lines = Object.entries(credited).flatMap(([invoiceLineItemId, quantity]) =>
    Number(quantity) > 0 ? [{ invoiceLineItemId, quantity }] : [],
  );
  return lines.length > 0 ? lines : undefined;
}
