import { Group } from '@mantine/core';
import { useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { RecordPage } from '../../parts/record-page.tsx';
import { Mark } from '../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import { TwoColumns } from '../../parts/two-columns.tsx';
import { EventsTable } from '../events/events-table.tsx';
import { About } from './about.tsx';
import { Amounts } from './amounts.tsx';
import { Explanation } from './explanation/explanation.tsx';
import { OneInvoiceDocument, type OneInvoiceQuery } from './invoice.generated.ts';
import { InvoiceActions } from './invoice-actions.tsx';
import { Lines } from './lines.tsx';
import { Settlement } from './settlement.tsx';

type Invoice = NonNullable<OneInvoiceQuery['invoice']>;

/** An invoice: its lines, their derivation, its payments and its history. */
const InvoicePage = () => (
  <RecordPage
    document={OneInvoiceDocument}
    select={({ invoice }) => invoice}
    name="invoice"
    kinds={['invoice', 'invoice_line_item', 'payment', 'refund', 'credit_note']}
  >
    {(invoice) => <Shown invoice={invoice} />}
  </RecordPage>
);

function Shown({ invoice }: { readonly invoice: Invoice }) {
  const filters = useFilters();
  const { id, invoiceNumber, status, overdue, customer } = invoice;
  return (
    <Page
      title={`Invoice ${invoiceNumber}`}
      above={[
        ['Invoices', '/invoices'],
        [customer.name, `/customers/${customer.id}`],
      ]}
      heading={
        <Group gap="sm">
          Invoice {invoiceNumber} <StatusBadge status={status} />
          {overdue && (
            <Mark color="red" miw="max-content">
              Overdue
            </Mark>
          )}
        </Group>
      }
      actions={<InvoiceActions invoice={invoice} />}
    >
      <Amounts invoice={invoice} />
      <PageTabs
        value={filters.get('tab')}
        onChange={(tab) => filters.set('tab', tab)}
        tabs={[
          ['invoice', 'Invoice', () => <Overview invoice={invoice} />],
          ['explanation', 'Explanation', () => <Explanation id={id} customerId={customer.id} />],
          [
            'events',
            'History',
            () => (
              <EventsTable
                where={{ object: { is: id } }}
                customerId={customer.id}
                height="calc(100dvh - 320px)"
              />
            ),
          ],
        ]}
      />
    </Page>
  );
}

const Overview = ({ invoice }: { readonly invoice: Invoice }) => (
  <TwoColumns
    wide={<Lines invoice={invoice} />}
    narrow={
      <>
        <About invoice={invoice} />
        <Settlement invoice={invoice} />
      </>
    }
  />
);

export { InvoicePage as Component };
