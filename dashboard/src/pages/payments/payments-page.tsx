import { Button, Tabs } from '@mantine/core';
import { useState } from 'react';
import { MoreActions } from '../../commands/more-actions.tsx';
import { IconPlus } from '../../icons/icons.tsx';
import { useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { DisputesTab } from './disputes-tab.tsx';
import { DunningTab } from './dunning-tab.tsx';
import { PaymentsTab } from './payments-tab.tsx';
import { ReceiptDialog } from './receipt-dialog.tsx';
import { RefundsTab } from './refunds-tab.tsx';
import { RemittancesTab } from './remittances-tab.tsx';

const tabs = [
  ['all', 'All', PaymentsTab],
  ['failing', 'Dunning', DunningTab],
  ['remittances', 'By hand', RemittancesTab],
  ['refunds', 'Refunds', RefundsTab],
  ['disputes', 'Disputes', DisputesTab],
] as const;

/** All payments: those that succeed, those that fail and are retried, and the money that goes back. */
function PaymentsPage() {
  const filters = useFilters();
  const [dialog, setDialog] = useState<'received' | 'expected'>();
  return (
    <Page
      title="Payments"
      actions={
        <MoreActions
          onOpen={setDialog}
          target={
            <Button size="xs" leftSection={<IconPlus size={14} />}>
              By hand
            </Button>
          }
          actions={[
            ['received', 'Record a payment', 'recordPayment'],
            ['expected', 'Expect a payment', 'expectPayment'],
          ]}
        />
      }
    >
      <Tabs
        value={filters.get('tab') ?? 'all'}
        onChange={(next) => filters.show(next === 'all' || !next ? undefined : next)}
        keepMounted={false}
      >
        <Tabs.List mb="md" style={{ flexWrap: 'nowrap', overflowX: 'auto' }}>
          {tabs.map(([name, label]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(([name, , Tab]) => (
          <Tabs.Panel key={name} value={name}>
            <Tab filters={filters} />
          </Tabs.Panel>
        ))}
      </Tabs>
      {dialog && <ReceiptDialog kind={dialog} onClose={() => setDialog(undefined)} />}
    </Page>
  );
}

export { PaymentsPage as Component };
