import { Anchor, Badge, Grid, Group, Stack, Tabs, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { useLive } from '../../live/use-live.ts';
import { Facts } from '../../parts/facts.tsx';
import { numberText, wordsOf } from '../../parts/formats.ts';
import { IdText } from '../../parts/id-text.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordOr } from '../../parts/record-or.tsx';
import { Section } from '../../parts/section.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { useNow } from '../../parts/use-now.ts';
import { EventsTable } from '../events/events-table.tsx';
import { InvoicesTable } from '../invoices/invoices-table.tsx';
import { PaymentsTable } from '../payments/payments-table.tsx';
import { SubscriptionsTable } from '../subscriptions/subscriptions-table.tsx';
import { Balances } from './balances.tsx';
import { OneCustomerDocument, type OneCustomerQuery } from './customer.generated.ts';
import { CustomerActions } from './customer-actions.tsx';
import { PaymentMethods } from './payment-methods.tsx';
import { Seats } from './seats.tsx';

type Customer = NonNullable<OneCustomerQuery['customer']>;

/** A customer: its subscriptions, entitlements, usage, debts and history. */
function CustomerPage() {
  const { id = '' } = useParams();
  const result = useLive(OneCustomerDocument, { id }, { customerId: id });
  return (
    <RecordOr result={result} record={result.data?.customer} name="customer">
      {(customer) => <Shown customer={customer} />}
    </RecordOr>
  );
}

function Shown({ customer }: { readonly customer: Customer }) {
  const filters = useFilters();
  const present = useNow();
  const { id, name, archived, testClock } = customer;
  const where = { customer: { is: id } };
  const height = 'calc(100dvh - 320px)';
  return (
    <Page
      title={name}
      above={[['Customers', '/customers']]}
      heading={
        <>
          {name}{' '}
          {archived && (
            <Badge variant="default" tt="none">
              Archived
            </Badge>
          )}
        </>
      }
      actions={<CustomerActions customer={customer} />}
    >
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
          <Stack>
            <Grid>
              <Grid.Col span={{ base: 12, lg: 7 }}>
                <AboutCustomer customer={customer} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, lg: 5 }}>
                <Stack>
                  <Entitlements customer={customer} />
                  <PaymentMethods methods={customer.paymentMethodsPage.nodes} customerId={id} />
                </Stack>
              </Grid.Col>
            </Grid>
            <SubscriptionsTable where={where} customerId={id} height="320px" />
            <Balances customer={customer} now={testClock?.frozenTime ?? present} />
            <Seats usages={customer.resourceUsages} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="invoices">
          <InvoicesTable where={where} customerId={id} height={height} />
        </Tabs.Panel>
        <Tabs.Panel value="payments">
          <PaymentsTable where={where} customerId={id} height={height} />
        </Tabs.Panel>
        <Tabs.Panel value="events">
          <EventsTable where={where} customerId={id} height={height} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function AboutCustomer({ customer }: { readonly customer: Customer }) {
  const { currency, testClock } = customer;
  const money = (amount: number) =>
    currency ? <Money amount={amount} currency={currency} /> : numberText(amount);
  return (
    <Section title="About">
      <Facts
        facts={[
          ['E-mail', customer.email],
          ['Your id', customer.externalId],
          ['Id', <IdText key="id" id={customer.id} />],
          ['Owes', money(customer.amountOwed)],
          ['Credit balance', money(customer.creditBalance)],
          ['Payment', wordsOf(customer.collectionMethod)],
          ['Customer since', <Instant key="since" at={customer.createdAt} />],
          ...(testClock
            ? ([
                [
                  'Test clock',
                  <Anchor
                    key="clock"
                    component={Link}
                    to={`/test-clocks/${testClock.id}`}
                    size="sm"
                  >
                    {testClock.name ?? testClock.id}
                  </Anchor>,
                ],
              ] as const)
            : []),
          ...Object.entries((customer.metadata as Record<string, unknown> | null) ?? {}).map(
            ([name, value]) => [name, String(value)] as const,
          ),
        ]}
      />
    </Section>
  );
}

/** Everything that the customer may use now. */
function Entitlements({ customer: { featureItems } }: { readonly customer: Customer }) {
  return (
    <Section title="Entitlements">
      {featureItems.length === 0 && (
        <Text size="sm" c="dimmed">
          None
        </Text>
      )}
      <Group gap="xs">
        {featureItems.map(({ id, name, amount }) => (
          <Badge key={id} variant="light" tt="none" size="lg" radius="sm">
            {name}
            {amount !== null && `: ${numberText(amount)}`}
          </Badge>
        ))}
      </Group>
    </Section>
  );
}

export { CustomerPage as Component };
