import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { CommandButton, CommandItem } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { IconDots, IconFileTypePdf } from '../../icons/icons.tsx';
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
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" aria-label="More actions" px="xs">
            <IconDots size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <EInvoiceItems eInvoice={invoice.eInvoice} />
          {receiptPdfURL && (
            <Menu.Item component="a" href={receiptPdfURL} target="_blank" rel="noreferrer">
              Receipt
            </Menu.Item>
          )}
          <CommandItem
            does="recordPayment"
            disabled={!isOpen && status !== 'uncollectible'}
            onClick={() => setDialog('record')}
          >
            Record a payment
          </CommandItem>
          <CommandItem
            does="createCreditNote"
            disabled={!canCredit}
            onClick={() => setDialog('credit')}
          >
            Create a credit note
          </CommandItem>
          <CommandItem
            does="markInvoiceUncollectible"
            disabled={!isOpen}
            onClick={() => setDialog('uncollectible')}
          >
            Mark as uncollectible
          </CommandItem>
          <CommandItem
            does="voidInvoice"
            color="red"
            disabled={!isOpen && !isDraft && status !== 'uncollectible'}
            onClick={() => setDialog('void')}
          >
            Void
          </CommandItem>
        </Menu.Dropdown>
      </Menu>
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
