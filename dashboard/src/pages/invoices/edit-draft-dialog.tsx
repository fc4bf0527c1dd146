import { Group, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { Money } from '../../parts/texts/money.tsx';
import { UpdateDraftDocument } from './draft.generated.ts';
import { type DraftLine, linesInputOf, sumOfLines } from './draft-lines.ts';
import { DraftLinesInput } from './draft-lines-input.tsx';
import type { OneInvoiceQuery } from './invoice.generated.ts';

type Invoice = NonNullable<OneInvoiceQuery['invoice']>;

/** Changes the lines and the memo of a draft. */
export function EditDraftDialog({
  invoice: { id, version, currency, lineItems, ...given },
  onClose,
}: {
  readonly invoice: Invoice;
  readonly onClose: () => void;
}) {
  const [lines, setLines] = useState<readonly DraftLine[]>(
    lineItems.map(({ description, quantity, price, priceId }, key) => ({
      key,
      description: description ?? '',
      quantity,
      price,
      priceId,
    })),
  );
  const [memo, setMemo] = useState(given.memo ?? '');
  const invoiceLineItems = linesInputOf(lines);
  return (
    <CommandDialog
      title="Edit the draft"
      onClose={onClose}
      document={UpdateDraftDocument}
      variables={
        invoiceLineItems && {
          id,
          version,
          invoice: { memo: memo.trim() || null },
          invoiceLineItems,
        }
      }
      label="Save"
      done="The draft is changed"
    >
      <DraftLinesInput lines={lines} currency={currency} onChange={setLines} />
      <Group justify="space-between">
        <Text size="sm">Sum before tax</Text>
        <Money amount={sumOfLines(lines)} currency={currency} fw={600} />
      </Group>
      <Textarea
        label="Memo"
        description="Printed on the invoice"
        dir="auto"
        autosize
        value={memo}
        onChange={({ currentTarget }) => setMemo(currentTarget.value)}
      />
    </CommandDialog>
  );
}
