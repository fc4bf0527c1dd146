import { Stack, Tabs } from '@mantine/core';
import { useNavigate } from 'react-router';
import { CommandButton } from '../../commands/command-button.tsx';
import { IconPlus } from '../../icons/icons.tsx';
import { FilterBar } from '../../parts/lists/filter-bar.tsx';
import { type Filters, useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
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
        <CommandButton
          does="createInvoice"
          size="xs"
          leftSection={<IconPlus size={14} />}
          dialog={(onClose) => (
            <DraftDialog onClose={onClose} onDone={(id) => navigate(`/invoices/${id}`)} />
          )}
        >
          New invoice
        </CommandButton>
      }
    >
      <Tabs
        value={filters.get('tab') ?? 'invoices'}
        onChange={(tab) => filters.show(tab === 'invoices' || !tab ? undefined : tab)}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="invoices">Invoices</Tabs.Tab>
          <Tabs.Tab value="consolidated">Consolidated</Tabs.Tab>
          <Tabs.Tab value="credit-notes">Credit notes</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="invoices">
          <InvoicesTab filters={filters} />
        </Tabs.Panel>
        <Tabs.Panel value="consolidated">
          <ConsolidatedTab filters={filters} />
        </Tabs.Panel>
        <Tabs.Panel value="credit-notes">
          <CreditNotesTab filters={filters} />
        </Tabs.Panel>
      </Tabs>
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
