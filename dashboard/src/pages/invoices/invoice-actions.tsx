import { Button, Menu, Select, TextInput } from '@mantine/core';
import { IconDots, IconFileTypePdf } from '@tabler/icons-react';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { AmountInput } from '../../parts/amount-input.tsx';
import { CreditNoteDialog } from './credit-note-dialog.tsx';
import {
  FinalizeInvoiceDocument,
  MarkInvoiceUncollectibleDocument,
  type OneInvoiceQuery,
  PayInvoiceDocument,
  RecordInvoicePaymentDocument,
  VoidInvoiceDocument,
} from './invoice.generated.ts';

type Invoice = NonNullable<OneInvoiceQuery['invoice']>;

const simple = {
  pay: ['Pay the invoice', PayInvoiceDocument, 'Charge the payment method', 'The invoice is paid'],
  finalize: ['Finalize the draft', FinalizeInvoiceDocument, 'Finalize', 'The invoice is open'],
  void: ['Void the invoice', VoidInvoiceDocument, 'Void', 'The invoice is void'],
  uncollectible: [
    'Mark as uncollectible',
    MarkInvoiceUncollectibleDocument,
    'Mark as uncollectible',
    'The invoice is marked',
  ],
} as const;

type Simple = keyof typeof simple;

/** The commands of an invoice that its status allows. */
export function InvoiceActions({ invoice }: { readonly invoice: Invoice }) {
  const [dialog, setDialog] = useState<Simple | 'record' | 'credit'>();
  const close = () => setDialog(undefined);
  const { id, status, pdfURL, receiptPdfURL } = invoice;
  const isPayable = status === 'open' || status === 'uncollectible';
  const canCredit = ['open', 'paid', 'partially_refunded', 'uncollectible'].includes(status);
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
      {isPayable && (
        <Button size="xs" onClick={() => setDialog('pay')}>
          Pay
        </Button>
      )}
      {status === 'draft' && (
        <Button size="xs" onClick={() => setDialog('finalize')}>
          Finalize
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" aria-label="More actions" px="xs">
            <IconDots size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {receiptPdfURL && (
            <Menu.Item component="a" href={receiptPdfURL} target="_blank" rel="noreferrer">
              Receipt
            </Menu.Item>
          )}
          <Menu.Item disabled={!isPayable} onClick={() => setDialog('record')}>
            Record a payment
          </Menu.Item>
          <Menu.Item disabled={!canCredit} onClick={() => setDialog('credit')}>
            Create a credit note
          </Menu.Item>
          <Menu.Item disabled={status !== 'open'} onClick={() => setDialog('uncollectible')}>
            Mark as uncollectible
          </Menu.Item>
          <Menu.Item
            color="red"
            disabled={!isPayable && status !== 'draft'}
            onClick={() => setDialog('void')}
          >
            Void
          </Menu.Item>
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
          isDangerous={name === 'void' || name === 'uncollectible'}
          done={done}
        />
      ))}
      {dialog === 'record' && <RecordPaymentDialog invoice={invoice} onClose={close} />}
      {dialog === 'credit' && <CreditNoteDialog invoice={invoice} onClose={close} />}
    </>
  );
}

const methods = [
  { value: 'bank_transfer', label: 'Bank transfer' },
  { value: 'check', label: 'Check' },
  { value: 'cash', label: 'Cash' },
  { value: 'card_elsewhere', label: 'Card, charged elsewhere' },
  { value: 'other', label: 'Other' },
];

function RecordPaymentDialog({
  invoice: { id, amountDue, currency },
  onClose,
}: {
  readonly invoice: Invoice;
  readonly onClose: () => void;
}) {
  const [amount, setAmount] = useState<number | undefined>(amountDue);
  const [method, setMethod] = useState<string | null>('bank_transfer');
  const [reference, setReference] = useState('');
  return (
    <CommandDialog
      title="Record a payment"
      isOpen
      onClose={onClose}
      document={RecordInvoicePaymentDocument}
      variables={
        amount && method
          ? {
              invoiceId: id,
              amount,
              method: method as 'cash',
              ...(reference.trim() && { reference: reference.trim() }),
            }
          : undefined
      }
      label="Record"
      done="The payment is recorded"
    >
      <AmountInput label="Amount" currency={currency} value={amount} onChange={setAmount} />
      <Select
        label="Method"
        data={methods}
        value={method}
        onChange={setMethod}
        allowDeselect={false}
      />
      <TextInput
        label="Reference"
        description="Optional; for example that of the bank"
        value={reference}
        onChange={({ currentTarget }) => setReference(currentTarget.value)}
      />
    </CommandDialog>
  );
}
