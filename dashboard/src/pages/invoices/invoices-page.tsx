import { Stack } from '@mantine/core';
import { useNavigate } from 'react-router';
import { PageButton } from '../../commands/command-button.tsx';
import { FilterBar } from '../../parts/lists/filter-bar.tsx';
import { type Filters, useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { useOwnCurrency } from '../../parts/use-own-currency.ts';
import { ConsolidatedTab } from './consolidated/consolidated-tab.tsx';
import { CreditNotesTab } from './credit-notes/credit-notes-tab.tsx';
import { DraftDialog } from './draft-dialog.tsx';
import { InvoicesTable } from './invoices-table.tsx';
import { invoiceChoices, invoicesWhere } from './invoices-where.ts';

/** All invoices, consolidated invoices and credit notes. */
function InvoicesPage() {
  const filters = useFilters();
  const navigate = useNavigate();
  return (
    <Page
      title="Invoices"
      actions={
        <PageButton
          does="createInvoice"
          isNew
          dialog={(onClose) => (
            <DraftDialog onClose={onClose} onDone={(id) => navigate(`/invoices/${id}`)} />
          )}
        >
          New invoice
        </PageButton>
      }
    >
      <PageTabs
        value={filters.get('tab')}
        onChange={filters.show}
        tabs={[
          ['invoices', 'Invoices', () => <InvoicesTab filters={filters} />],
          ['consolidated', 'Consolidated', () => <ConsolidatedTab filters={filters} />],
          ['credit-notes', 'Credit notes', () => <CreditNotesTab filters={filters} />],
        ]}
      />
    </Page>
  );
}

function InvoicesTab({ filters }: { readonly filters: Filters }) {
  const ownCurrency = useOwnCurrency();
  return (
    <Stack gap="md">
      <FilterBar filters={filters} choices={invoiceChoices} search="Search by number or customer" />
      <InvoicesTable
        where={invoicesWhere(filters, ownCurrency)}
        order={filters.get('order') ?? 'invoice_date_desc'}
        onOrder={(next) => filters.set('order', next)}
        height="calc(100dvh - 320px)"
      />
    </Stack>
  );
}

export { InvoicesPage as Component };
