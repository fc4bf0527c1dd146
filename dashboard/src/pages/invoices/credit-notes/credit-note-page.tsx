import { Button, Group, Menu } from '@mantine/core';
import { useParams } from 'react-router';
import { useLive } from '../../../live/use-live.ts';
import { Page } from '../../../parts/page.tsx';
import { RecordOr } from '../../../parts/record-or.tsx';
import { StatusBadge } from '../../../parts/texts/status-badge.tsx';
import { EventsTable } from '../../events/events-table.tsx';
import { EInvoiceItems } from '../e-invoice-items.tsx';
import { PdfButton } from '../pdf-button.tsx';
import { OneCreditNoteDocument } from './credit-note.generated.ts';
import { CreditedLines, CreditNoteAbout, CreditNoteRefunds } from './credit-note-parts.tsx';

/** A credit note: its lines, and the way in which the customer gets the money. */
function CreditNotePage() {
  const { id = '' } = useParams();
  const result = useLive(OneCreditNoteDocument, { id }, { kinds: ['credit_note', 'refund'] });
  return (
    <RecordOr result={result} record={result.data?.creditNote} name="credit note">
      {(note) => (
        <Page
          title={`Credit note ${note.creditNoteNumber}`}
          above={[
            ['Credit notes', '/invoices?tab=credit-notes'],
            [note.customer.name, `/customers/${note.customer.id}`],
            [`Invoice ${note.invoice.invoiceNumber}`, `/invoices/${note.invoice.id}`],
          ]}
          heading={
            <Group gap="sm">
              Credit note {note.creditNoteNumber} <StatusBadge status={note.status} />
            </Group>
          }
          actions={
            <>
              <PdfButton href={note.pdfURL} />
              <Menu position="bottom-end">
                <Menu.Target>
                  <Button size="xs" variant="default" aria-label="E-invoice">
                    E-invoice
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  <EInvoiceItems eInvoice={note.eInvoice} />
                </Menu.Dropdown>
              </Menu>
            </>
          }
        >
          <CreditNoteAbout note={note} />
          <CreditedLines note={note} />
          <CreditNoteRefunds note={note} />
          <EventsTable
            where={{ object: { is: note.id } }}
            customerId={note.customer.id}
            height="300px"
          />
        </Page>
      )}
    </RecordOr>
  );
}

export { CreditNotePage as Component };
