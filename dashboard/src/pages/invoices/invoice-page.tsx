import { Grid, Group, Stack, Tabs } from '@mantine/core';
import { useParams } from 'react-router';
import { useLive } from '../../live/use-live.ts';
import { useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { RecordOr } from '../../parts/record-or.tsx';
import { Mark } from '../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
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
function InvoicePage() {
  const { id = '' } = useParams();
  const result = useLive(
    OneInvoiceDocument,
    { id },
    { kinds: ['invoice', 'invoice_line_item', 'payment', 'refund', 'credit_note'] },
  );
  return (
    <RecordOr result={result} record={result.data?.invoice} name="invoice">
      {(invoice) => <Shown invoice={invoice} />}
    </RecordOr>
  );
}

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
      <Tabs
        value={filters.get('tab') ?? 'invoice'}
        onChange={(tab) => filters.set('tab', tab === 'invoice' ? undefined : (tab ?? undefined))}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="invoice">Invoice</Tabs.Tab>
          <Tabs.Tab value="explanation">Explanation</Tabs.Tab>
          <Tabs.Tab value="events">History</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="invoice">
          <Grid>
            <Grid.Col span={{ base: 12, lg: 8 }}>
              <Lines invoice={invoice} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 4 }}>
              <Stack>
                <About invoice={invoice} />
                <Settlement invoice={invoice} />
              </Stack>
            </Grid.Col>
          </Grid>
        </Tabs.Panel>
        <Tabs.Panel value="explanation">
          <Explanation id={id} customerId={customer.id} />
        </Tabs.Panel>
        <Tabs.Panel value="events">
          <EventsTable
            where={{ object: { is: id } }}
            customerId={customer.id}
            height="calc(100dvh - 320px)"
          />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

export { InvoicePage as Component };
