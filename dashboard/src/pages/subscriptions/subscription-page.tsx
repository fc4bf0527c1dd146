import { Alert, Anchor, Grid, Group, Stack, Tabs, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { useLive } from '../../live/use-live.ts';
import { Facts } from '../../parts/facts.tsx';
import { wordsOf } from '../../parts/formats.ts';
import { IdText } from '../../parts/id-text.tsx';
import { Instant } from '../../parts/instant.tsx';
import { intervalText } from '../../parts/interval-text.ts';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordOr } from '../../parts/record-or.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { Seats } from '../customers/seats.tsx';
import { EventsTable } from '../events/events-table.tsx';
import { InvoicesTable } from '../invoices/invoices-table.tsx';
import { PaymentsTable } from '../payments/payments-table.tsx';
import { Items } from './items.tsx';
import { Periods } from './periods.tsx';
import { OneSubscriptionDocument, type OneSubscriptionQuery } from './subscription.generated.ts';
import { SubscriptionActions } from './subscription-actions.tsx';
import { Upcoming } from './upcoming.tsx';

type Subscription = NonNullable<OneSubscriptionQuery['subscription']>;

/** A subscription: its periods, items, changes and next invoice. */
function SubscriptionPage() {
  const { id = '' } = useParams();
  const result = useLive(
    OneSubscriptionDocument,
    { id },
    { kinds: ['subscription', 'subscription_item', 'billing_period', 'invoice', 'usage_event'] },
  );
  return (
    <RecordOr result={result} record={result.data?.subscription} name="subscription">
      {(subscription) => (
        <Shown subscription={subscription} upcoming={result.data?.upcomingInvoice ?? null} />
      )}
    </RecordOr>
  );
}

interface Props {
  readonly subscription: Subscription;
  readonly upcoming: OneSubscriptionQuery['upcomingInvoice'];
}

function Shown({ subscription, upcoming }: Props) {
  const filters = useFilters();
  const { id, name, status, customer } = subscription;
  const where = { subscription: { is: id } };
  const height = 'calc(100dvh - 320px)';
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
        </Group>
      }
      actions={<SubscriptionActions subscription={subscription} />}
    >
      {subscription.nextStep && (
        <Alert color="orange" title={wordsOf(subscription.nextStep)}>
          The customer has to act before the subscription goes on.
        </Alert>
      )}
      <Tabs
        value={filters.get('tab') ?? 'overview'}
        onChange={(tab) => filters.set('tab', tab === 'overview' ? undefined : (tab ?? undefined))}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="invoices">Invoices</Tabs.Tab>
          <Tabs.Tab value="payments">Payments</Tabs.Tab>
          <Tabs.Tab value="events">Events</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview">
          <Grid>
            <Grid.Col span={{ base: 12, lg: 8 }}>
              <Stack>
                <About subscription={subscription} />
                <Items subscription={subscription} />
                <Seats usages={subscription.resourceUsages} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 4 }}>
              <Stack>
                {upcoming && <Upcoming invoice={upcoming} />}
                <Periods subscription={subscription} />
              </Stack>
            </Grid.Col>
          </Grid>
        </Tabs.Panel>
        <Tabs.Panel value="invoices">
          <InvoicesTable where={where} customerId={customer.id} height={height} />
        </Tabs.Panel>
        <Tabs.Panel value="payments">
          <PaymentsTable where={where} customerId={customer.id} height={height} />
        </Tabs.Panel>
        <Tabs.Panel value="events">
          <EventsTable where={{ object: { is: id } }} customerId={customer.id} height={height} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function About({ subscription }: Pick<Props, 'subscription'>) {
  const { customer, currency, mrr, interval, intervalCount } = subscription;
  const { trialEnd, canceledAt, cancellationReason } = subscription;
  return (
    <Section title="About">
      <Facts
        facts={[
          [
            'Customer',
            <Anchor key="customer" component={Link} to={`/customers/${customer.id}`} size="sm">
              {customer.name}
            </Anchor>,
          ],
          ['MRR', <Money key="mrr" amount={mrr} currency={currency} />],
          [
            'Renews',
            interval ? intervalText({ intervalUnit: interval, intervalCount }) : 'Does not renew',
          ],
          [
            'Period',
            <Text key="period" span size="sm">
              <Instant at={subscription.currentBillingPeriodStart} /> –{' '}
              <Instant at={subscription.currentBillingPeriodEnd} />
            </Text>,
          ],
          ['Payment', wordsOf(subscription.collectionMethod)],
          ['Since', <Instant key="since" at={subscription.startDate} />],
          ...(trialEnd ? ([['Trial until', <Instant key="trial" at={trialEnd} />]] as const) : []),
          ...(canceledAt
            ? ([['Canceled', <Instant key="canceled" at={canceledAt} />]] as const)
            : []),
          ...(cancellationReason ? ([['Reason', wordsOf(cancellationReason)]] as const) : []),
          ['Id', <IdText key="id" id={subscription.id} />],
        ]}
      />
    </Section>
  );
}

export { SubscriptionPage as Component };
