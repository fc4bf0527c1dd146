import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { CommandButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { MoreActions } from '../../commands/more-actions.tsx';
import { IconFileTypePdf } from '../../icons/icons.tsx';
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

type Invoice = NonNullable<OneInvoiceQuery['invoice']>;

const simple = {
  finalize: ['Finalize the draft', FinalizeInvoiceDocument, 'Finalize', 'The draft is finalized'],
  void: ['Void the invoice', VoidInvoiceDocument, 'Void', 'The invoice is void'],
  uncollectible: [
    'Mark as uncollectible',
    MarkInvoiceUncollectibleDocument,
    'Mark as uncollectible',
    'The invoice is written off',
  ],
} as const;

type Dialog = keyof typeof simple | 'pay' | 'record' | 'credit' | 'edit';

/** The commands of an invoice that its status allows. */
export function InvoiceActions({ invoice }: { readonly invoice: Invoice }) {
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const { id, status, pdfURL, receiptPdfURL, total, amountCredited, customer } = invoice;
  const isDraft = status === 'draft';
  const isOpen = status === 'open';
  const isOwed = isOpen || status === 'uncollectible';
  const canCredit = !['draft', 'void'].includes(status) && amountCredited < total;
  return (
    <>
      {pdfURL && (
        <Button
          component="a"
          href={pdfURL}
          target="_blank"
          rel="noreferrer"
          size="xs"
          variant="default"
          leftSection={<IconFileTypePdf size={15} />}
        >
          PDF
        </Button>
      )}
      {isOpen && (
        <CommandButton does="payInvoice" size="xs" onClick={() => setDialog('pay')}>
          Charge
        </CommandButton>
      )}
      {isDraft && (
        <>
          <CommandButton
            does="updateInvoice"
            size="xs"
            variant="default"
            onClick={() => setDialog('edit')}
          >
            Edit
          </CommandButton>
          <CommandButton does="finalizeInvoice" size="xs" onClick={() => setDialog('finalize')}>
            Finalize
          </CommandButton>
        </>
      )}
      <MoreActions
        onOpen={setDialog}
        actions={[
          ['record', 'Record a payment', 'recordPayment', { disabled: !isOwed }],
          ['credit', 'Create a credit note', 'createCreditNote', { disabled: !canCredit }],
          [
            'uncollectible',
            'Mark as uncollectible',
            'markInvoiceUncollectible',
            { disabled: !isOpen },
          ],
          ['void', 'Void', 'voidInvoice', { color: 'red', disabled: !isOwed && !isDraft }],
        ]}
      >
        <EInvoiceItems eInvoice={invoice.eInvoice} />
        {receiptPdfURL && (
          <Menu.Item component="a" href={receiptPdfURL} target="_blank" rel="noreferrer">
            Receipt
          </Menu.Item>
        )}
      </MoreActions>
      {Object.entries(simple).map(([name, [title, document, label, done]]) => (
        <CommandDialog
          key={name}
          title={title}
          isOpen={dialog === name}
          onClose={close}
          document={document as typeof VoidInvoiceDocument}
          variables={{ id }}
          label={label}
          isDangerous={name !== 'finalize'}
          done={done}
        />
      ))}
      {dialog === 'pay' && <PayDialog invoiceId={id} customerId={customer.id} onClose={close} />}
      {dialog === 'edit' && <EditDraftDialog invoice={invoice} onClose={close} />}
      {dialog === 'record' && <RecordPaymentDialog invoice={invoice} onClose={close} />}
      {dialog === 'credit' && <CreditNoteDialog invoice={invoice} onClose={close} />}
    </>
  );
}
