import { Group } from '@mantine/core';
import { PageButton } from '../../../commands/command-button.tsx';
import { Page } from '../../../parts/page.tsx';
import { RecordPage } from '../../../parts/record-page.tsx';
import { Mark } from '../../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../../parts/texts/status-badge.tsx';
import { TwoColumns } from '../../../parts/two-columns.tsx';
import { EventsTable } from '../../events/events-table.tsx';
import { Amounts } from '../amounts.tsx';
import { PayInvoicesDialog } from '../pay-invoices-dialog.tsx';
import { PdfButton } from '../pdf-button.tsx';
import { OneConsolidatedInvoiceDocument } from './consolidated.generated.ts';
import { ConsolidatedAbout, type ConsolidatedInvoice } from './consolidated-about.tsx';
import { Charges } from './consolidated-charges.tsx';
import { Members } from './consolidated-members.tsx';

/** A consolidated invoice: its invoices, their sums, and the charges by which they are paid. */
const ConsolidatedPage = () => (
  <RecordPage
    document={OneConsolidatedInvoiceDocument}
    select={({ consolidatedInvoice }) => consolidatedInvoice}
    name="consolidated invoice"
    kinds={['consolidated_invoice', 'invoice', 'payment', 'refund', 'credit_note']}
  >
    {(document) => <Shown document={document} />}
  </RecordPage>
);

function Shown({ document }: { readonly document: ConsolidatedInvoice }) {
  const { id, invoiceNumber, status, customer, overdue } = document;
  return (
    <Page
      title={`Consolidated invoice ${invoiceNumber}`}
      above={[
        ['Consolidated', '/invoices?tab=consolidated'],
        [customer.name, `/customers/${customer.id}`],
      ]}
      heading={
        <Group gap="sm">
          Consolidated invoice {invoiceNumber} <StatusBadge status={status} />
          {overdue.totalCount > 0 && (
            <Mark color="red" miw="max-content">
              Overdue
            </Mark>
          )}
        </Group>
      }
      actions={<Actions document={document} />}
    >
      <Amounts invoice={document} />
      <TwoColumns
        wide={<Members document={document} />}
        narrow={
          <>
            <ConsolidatedAbout document={document} />
            <Charges document={document} />
          </>
        }
      />
      <EventsTable where={{ object: { is: id } }} customerId={customer.id} height="300px" />
    </Page>
  );
}

/** The document as PDF, and the charge for what is due. */
function Actions({ document }: { readonly document: ConsolidatedInvoice }) {
  const { id, status, pdfURL, receiptPdfURL, customer } = document;
  const files = [
    ['PDF', pdfURL],
    ['Receipt', receiptPdfURL],
  ] as const;
  return (
    <>
      {files.map(([name, url]) => url && <PdfButton key={name} href={url} label={name} />)}
      {status === 'open' && (
        <PageButton
          does="payInvoices"
          dialog={(onClose) => (
            <PayInvoicesDialog customerId={customer.id} documentId={id} onClose={onClose} />
          )}
        >
          Charge
        </PageButton>
      )}
    </>
  );
}

export { ConsolidatedPage as Component };
