import { Group, Stack } from '@mantine/core';
import { useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { RecordPage } from '../../parts/record-page.tsx';
import { Mark } from '../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import { useTimeOf } from '../../parts/texts/use-time-of.ts';
import { TwoColumns } from '../../parts/two-columns.tsx';
import { Balances } from '../customers/balances.tsx';
import { Seats } from '../customers/seats.tsx';
import { EventsTable } from '../events/events-table.tsx';
import { InvoicesTable } from '../invoices/invoices-table.tsx';
import { PaymentsTable } from '../payments/payments-table.tsx';
import { About } from './about.tsx';
import { Alerts } from './alerts/alerts.tsx';
import { OneOffCharges } from './charges/one-off-charges.tsx';
import { Commitment } from './commitment.tsx';
import { Features } from './features.tsx';
import { Items } from './items.tsx';
import { NextStep } from './next-step.tsx';
import { Periods } from './periods.tsx';
import { Phases } from './phases/phases.tsx';
import { Reservations } from './reservations.tsx';
import { OneSubscriptionDocument } from './subscription.generated.ts';
import { isEnded, type Subscription } from './subscription.ts';
import { SubscriptionActions } from './subscription-actions.tsx';
import { TopUps } from './top-ups/top-ups.tsx';
import { Upcoming } from './upcoming.tsx';

/** A subscription: its periods, items, changes and next invoice. */
const SubscriptionPage = () => (
  <RecordPage
    document={OneSubscriptionDocument}
    select={({ subscription }) => subscription}
    name="subscription"
    kinds={['subscription', 'subscription_item', 'discount_redemption', 'payment']}
  >
    {(subscription) => <Shown subscription={subscription} />}
  </RecordPage>
);

function Shown({ subscription }: { readonly subscription: Subscription }) {
  const filters = useFilters();
  const { id, name, status, isFreePlan, customer } = subscription;
  const where = { subscription: { is: id } };
  const list = { customerId: customer.id, height: 'calc(100dvh - 320px)' };
  return (
    <Page
      title={name ?? 'Subscription'}
      above={[
        ['Subscriptions', '/subscriptions'],
        [customer.name, `/customers/${customer.id}`],
      ]}
      heading={
        <Group gap="sm">
          {name ?? 'Subscription'} <StatusBadge status={status} />
          {isFreePlan && <Mark variant="default">Free plan</Mark>}
        </Group>
      }
      actions={<SubscriptionActions subscription={subscription} />}
    >
      <NextStep subscription={subscription} />
      <PageTabs
        value={filters.get('tab')}
        onChange={(tab) => filters.set('tab', tab)}
        isScrolling
        tabs={[
          ['overview', 'Overview', () => <Overview subscription={subscription} />],
          ['invoices', 'Invoices', () => <InvoicesTable {...list} where={where} />],
          ['payments', 'Payments', () => <PaymentsTable {...list} where={where} />],
          ['events', 'Events', () => <EventsTable {...list} where={{ object: { is: id } }} />],
        ]}
      />
    </Page>
  );
}

function Overview({ subscription }: { readonly subscription: Subscription }) {
  const { id, customer } = subscription;
  const now = useTimeOf(customer.testClock);
  const place = { subscriptionId: id, customerId: customer.id };
  return (
    <Stack>
      <TwoColumns
        span={7}
        wide={
          <>
            <About subscription={subscription} />
            <Commitment subscription={subscription} />
            <Items subscription={subscription} now={now} />
            <Phases subscription={subscription} />
            <Features {...place} isEnded={isEnded(subscription)} />
          </>
        }
        narrow={
          <>
            <Upcoming {...place} />
            <OneOffCharges {...place} isEnded={isEnded(subscription)} />
            <Periods subscription={subscription} />
          </>
        }
      />
      {!isEnded(subscription) && (
        <>
          <Balances {...place} now={now} />
          <Alerts {...place} currency={subscription.currency} />
          <TopUps {...place} />
          <Seats {...place} />
          <Reservations {...place} />
        </>
      )}
    </Stack>
  );
}

export { SubscriptionPage as Component };
