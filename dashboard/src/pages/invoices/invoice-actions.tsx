import { Menu } from '@mantine/core';
import { PageButton } from '../../commands/command-button.tsx';
import { ConfirmButton, confirmItem } from '../../commands/confirm.tsx';
import { MoreActions } from '../../commands/more-actions.tsx';
import { RecordPaymentDialog } from '../payments/record-payment-dialog.tsx';
import { CreditNoteDialog } from './credit-notes/credit-note-dialog.tsx';
import { EInvoiceItems } from './e-invoice-items.tsx';
import { EditDraftDialog } from './edit-draft-dialog.tsx';
import {
  FinalizeInvoiceDocument,
  MarkInvoiceUncollectibleDocument,
  type OneInvoiceQuery,
  VoidInvoiceDocument,
} from './invoice.generated.ts';
import { PayDialog } from './pay-dialog.tsx';
import { PdfButton } from './pdf-button.tsx';

type Invoice = NonNullable<OneInvoiceQuery['invoice']>;

const commands = {
  finalizeInvoice: {
    does: 'finalizeInvoice',
    document: FinalizeInvoiceDocument,
    title: 'Finalize the draft',
    label: 'Finalize',
    done: 'The draft is finalized',
  },
  markInvoiceUncollectible: {
    does: 'markInvoiceUncollectible',
    document: MarkInvoiceUncollectibleDocument,
    title: 'Mark as uncollectible',
    label: 'Mark as uncollectible',
    isDangerous: true,
    done: 'The invoice is written off',
  },
  voidInvoice: {
    does: 'voidInvoice',
    document: VoidInvoiceDocument,
    title: 'Void the invoice',
    label: 'Void',
    color: 'red',
    isDangerous: true,
    done: 'The invoice is void',
  },
} as const;

/** The commands of an invoice that its status allows. */
export function InvoiceActions({ invoice }: { readonly invoice: Invoice }) {
  const { id, status, pdfURL, receiptPdfURL, total, amountCredited, customer } = invoice;
  const isDraft = status === 'draft';
  const isOpen = status === 'open';
  const isOwed = isOpen || status === 'uncollectible';
  const canCredit = !['draft', 'void'].includes(status) && amountCredited < total;
  return (
    <>
      {pdfURL && <PdfButton href={pdfURL} />}
      {isOpen && (
        <PageButton
          does="payInvoice"
          dialog={(onClose) => (
            <PayDialog invoiceId={id} customerId={customer.id} onClose={onClose} />
          )}
        >
          Charge
        </PageButton>
      )}
      {isDraft && (
        <>
          <PageButton
            does="updateInvoice"
            variant="default"
            dialog={(onClose) => <EditDraftDialog {...{ invoice, onClose }} />}
          >
            Edit
          </PageButton>
          <ConfirmButton command={commands.finalizeInvoice} variables={{ id }} size="xs" />
        </>
      )}
      <MoreActions
        actions={[
          [
            'Record a payment',
            'recordPayment',
            (onClose) => <RecordPaymentDialog {...{ invoice, onClose }} />,
            { disabled: !isOwed },
          ],
          [
            'Create a credit note',
            'createCreditNote',
            (onClose) => <CreditNoteDialog {...{ invoice, onClose }} />,
            { disabled: !canCredit },
          ],
          confirmItem(commands.markInvoiceUncollectible, { id }, { disabled: !isOpen }),
          confirmItem(commands.voidInvoice, { id }, { disabled: !isOwed && !isDraft }),
        ]}
      >
        <EInvoiceItems eInvoice={invoice.eInvoice} />
        {receiptPdfURL && (
          <Menu.Item component="a" href={receiptPdfURL} target="_blank" rel="noreferrer">
            Receipt
          </Menu.Item>
        )}
      </MoreActions>
    </>
  );
}
