import { Badge, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { useLive } from '../../live/use-live.ts';
import { useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { RecordOr } from '../../parts/record-or.tsx';
import { Section } from '../../parts/section.tsx';
import { useTimeOf } from '../../parts/texts/use-time-of.ts';
import { TwoColumns } from '../../parts/two-columns.tsx';
import { EventsTable } from '../events/events-table.tsx';
import { ConsolidatedTab } from '../invoices/consolidated/consolidated-tab.tsx';
import { CreditNotesTab } from '../invoices/credit-notes/credit-notes-tab.tsx';
import { InvoicesTable } from '../invoices/invoices-table.tsx';
import { PaymentsTable } from '../payments/payments-table.tsx';
import { RemittancesTab } from '../payments/remittances-tab.tsx';
import { SubscriptionsTable } from '../subscriptions/subscriptions-table.tsx';
import { About } from './about.tsx';
import { AccessTab } from './access-tab.tsx';
import { Balances } from './balances.tsx';
import { OneCustomerDocument, type OneCustomerQuery } from './customer.generated.ts';
import { CustomerActions } from './customer-actions.tsx';
import { Entitlements } from './entitlements.tsx';
import { MailsTab } from './mails/mails-tab.tsx';
import { PaymentMethods } from './payment-methods.tsx';
import { PrepaidPart } from './prepaid/prepaid.tsx';
import { Seats } from './seats.tsx';
import { UpcomingDocument } from './upcoming-document.tsx';

type Customer = NonNullable<OneCustomerQuery['customer']>;

const kinds = [
  'customer',
  'subscription',
  'subscription_item_feature',
  'payment_method',
  'invoice',
  'payment',
  'credit_note',
];

/** A customer with its subscriptions, usage, debts and events. */
function CustomerPage() {
  const { id = '' } = useParams();
  const result = useLive(OneCustomerDocument, { id }, { kinds, customerId: id });
  return (
    <RecordOr result={result} record={result.data?.customer} name="customer">
      {(customer) => <Shown customer={customer} />}
    </RecordOr>
  );
}

function Shown({ customer }: { readonly customer: Customer }) {
  const filters = useFilters();
  const { id, name, archived } = customer;
  const lists = { filters, customerId: id };
  const list = {
    where: { customer: { is: id } },
    customerId: id,
    height: 'calc(100dvh - 320px)',
  };
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
      <PageTabs
        value={filters.get('tab')}
        onChange={filters.show}
        isScrolling
        tabs={[
          ['overview', 'Overview', () => <Overview customer={customer} />],
          ['invoices', 'Invoices', () => <InvoicesTable {...list} />],
          ['consolidated', 'Consolidated', () => <ConsolidatedTab {...lists} />],
          ['credit-notes', 'Credit notes', () => <CreditNotesTab {...lists} />],
          ['payments', 'Payments', () => <PaymentsTable {...list} />],
          ['remittances', 'By hand', () => <RemittancesTab {...lists} />],
          ['mails', 'Mails', () => <MailsTab customerId={id} />],
          ['access', 'Access', () => <AccessTab customerId={id} />],
          ['events', 'Events', () => <EventsTable {...list} />],
        ]}
      />
    </Page>
  );
}

function Overview({ customer }: { readonly customer: Customer }) {
  const { id, testClock, paymentMethodsPage } = customer;
  const now = useTimeOf(testClock);
  return (
    <Stack>
      <TwoColumns
        span={7}
        wide={
          <>
            <About customer={customer} />
            <UpcomingDocument customerId={id} />
          </>
        }
        narrow={
          <>
            <Entitlements customer={customer} />
            <PaymentMethods methods={paymentMethodsPage.nodes} customerId={id} />
            <PrepaidPart customerId={id} />
          </>
        }
      />
      <Section title="Subscriptions">
        <SubscriptionsTable where={{ customer: { is: id } }} customerId={id} height="320px" />
      </Section>
      <Balances customerId={id} now={now} />
      <Seats customerId={id} />
    </Stack>
  );
}

export { CustomerPage as Component };
