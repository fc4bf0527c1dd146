import { CommandDialog } from '../../commands/command-dialog.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { UpdateDraftDocument } from './draft.generated.ts';
import { DraftFields } from './draft-fields.tsx';
import { type DraftLine, linesInputOf } from './draft-lines.ts';
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
  const lines = useField<readonly DraftLine[]>(
    lineItems.map(({ description, quantity, price, priceId }, key) => ({
      key,
      description: description ?? '',
      quantity,
      price,
      priceId,
    })),
  );
  const memo = useField(given.memo ?? '');
  const invoiceLineItems = linesInputOf(lines.value);
  return (
    <CommandDialog
      title="Edit the draft"
      onClose={onClose}
      document={UpdateDraftDocument}
      variables={
        invoiceLineItems && {
          id,
          version,
          invoice: { memo: memo.value.trim() || null },
          invoiceLineItems,
        }
      }
      label="Save"
      done="The draft is changed"
    >
      <DraftFields {...{ lines, memo, currency }} />
    </CommandDialog>
  );
}
