import { Button } from '@mantine/core';
import { MoreActions } from '../../commands/more-actions.tsx';
import { IconPlus } from '../../icons/icons.tsx';
import { useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { DisputesTab } from './disputes-tab.tsx';
import { DunningTab } from './dunning-tab.tsx';
import { PaymentsTab } from './payments-tab.tsx';
import { ReceiptDialog } from './receipt-dialog.tsx';
import { RefundsTab } from './refunds-tab.tsx';
import { RemittancesTab } from './remittances-tab.tsx';

/** All payments: those that succeed, those that fail and are retried, and the money that goes back. */
function PaymentsPage() {
  const filters = useFilters();
  return (
    <Page
      title="Payments"
      actions={
        <MoreActions
          target={
            <Button size="xs" leftSection={<IconPlus size={14} />}>
              By hand
            </Button>
          }
          actions={[
            [
              'Record a payment',
              'recordPayment',
              (onClose) => <ReceiptDialog kind="received" onClose={onClose} />,
            ],
            [
              'Expect a payment',
              'expectPayment',
              (onClose) => <ReceiptDialog kind="expected" onClose={onClose} />,
            ],
          ]}
        />
      }
    >
      <PageTabs
        value={filters.get('tab')}
        onChange={filters.show}
        isScrolling
        tabs={[
          ['all', 'All', () => <PaymentsTab filters={filters} />],
          ['failing', 'Dunning', () => <DunningTab filters={filters} />],
          ['remittances', 'By hand', () => <RemittancesTab filters={filters} />],
          ['refunds', 'Refunds', () => <RefundsTab filters={filters} />],
          ['disputes', 'Disputes', () => <DisputesTab filters={filters} />],
        ]}
      />
    </Page>
  );
}

export { PaymentsPage as Component };
