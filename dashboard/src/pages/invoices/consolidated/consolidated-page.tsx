import { Button, Grid, Group, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { CommandButton } from '../../../commands/command-button.tsx';
import { IconFileTypePdf } from '../../../icons/icons.tsx';
import { useLive } from '../../../live/use-live.ts';
import { Page } from '../../../parts/page.tsx';
import { RecordOr } from '../../../parts/record-or.tsx';
import { Mark } from '../../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../../parts/texts/status-badge.tsx';
import { EventsTable } from '../../events/events-table.tsx';
import { Amounts } from '../amounts.tsx';
import { PayInvoicesDialog } from '../pay-invoices-dialog.tsx';
import { OneConsolidatedInvoiceDocument } from './consolidated.generated.ts';
import { ConsolidatedAbout, type ConsolidatedInvoice } from './consolidated-about.tsx';
import { Charges } from './consolidated-charges.tsx';
import { Members } from './consolidated-members.tsx';

const kinds = ['consolidated_invoice', 'invoice', 'payment', 'refund', 'credit_note'];

/** A consolidated invoice: its invoices, their sums, and the charges by which they are paid. */
function ConsolidatedPage() {
  const { id = '' } = useParams();
  const result = useLive(OneConsolidatedInvoiceDocument, { id }, { kinds });
  return (
    <RecordOr result={result} record={result.data?.consolidatedInvoice} name="consolidated invoice">
      {(document) => <Shown document={document} />}
    </RecordOr>
  );
}

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
      <Grid>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Members document={document} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack>
            <ConsolidatedAbout document={document} />
            <Charges document={document} />
          </Stack>
        </Grid.Col>
      </Grid>
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
      {files.map(
        ([name, url]) =>
          url && (
            <Button
              key={name}
              component="a"
              href={url}
              target="_blank"
              rel="noreferrer"
              size="xs"
              variant="default"
              leftSection={<IconFileTypePdf size={15} />}
            >
              {name}
            </Button>
          ),
      )}
      {status === 'open' && (
        <CommandButton
          does="payInvoices"
          size="xs"
          dialog={(onClose) => (
            <PayInvoicesDialog customerId={customer.id} documentId={id} onClose={onClose} />
          )}
        >
          Charge
        </CommandButton>
      )}
    </>
  );
}

export { ConsolidatedPage as Component };
