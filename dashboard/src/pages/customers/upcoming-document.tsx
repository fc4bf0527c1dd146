import { Stack, Table, Text } from '@mantine/core';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { Instant } from '../../parts/texts/instant.tsx';
import { Money } from '../../parts/texts/money.tsx';
import { Dimmed, PageLink } from '../../parts/texts/small-texts.tsx';
import {
  UpcomingDocumentDocument,
  type UpcomingDocumentQuery,
} from './upcoming-document.generated.ts';

type Upcoming = NonNullable<UpcomingDocumentQuery['upcomingConsolidatedInvoice']>;

const kinds = ['customer', 'subscription', 'subscription_item', 'billing_period', 'invoice'];
const most = 8;

/** The next consolidated invoice of a customer, as it would be now; nothing where it has none to share. */
export function UpcomingDocument({ customerId }: { readonly customerId: string }) {
  const { data, error, reload } = useLive(
    UpcomingDocumentDocument,
    { customer: customerId },
    { kinds: [...kinds, 'usage_event', 'prepaid_credit'], customerId },
  );
  const upcoming = data?.upcomingConsolidatedInvoice;
  if (!upcoming) {
    return error ? (
      <Section title="Next document">
        <Failure error={error} onRetry={reload} />
      </Section>
    ) : null;
  }
  const { invoices, leftOut } = upcoming;
  const isApart = leftOut.every(({ reason }) => reason === 'not_consolidated');
  // One subscription alone has nothing to share.
  if (invoices.length === 0 && (isApart || leftOut.length < 2)) return null;
  return (
    <Section title="Next document">
      <Stack gap="sm">
        {invoices.length > 0 ? (
          <Members upcoming={upcoming} />
        ) : (
          <Dimmed>No document follows</Dimmed>
        )}
        {leftOut.length > 0 && <LeftOut leftOut={leftOut} />}
      </Stack>
    </Section>
  );
}

/** The date of the document, the total of each invoice, and their sums. */
function Members({ upcoming }: { readonly upcoming: Upcoming }) {
  const { invoiceDate, dueDate, currency, invoices, taxAmount } = upcoming;
  const sums = [
    ['Tax, included', taxAmount],
    ['Credit', -upcoming.creditApplied],
    ['Due', upcoming.amountDue],
  ] as const;
  return (
    <div>
      <Dimmed mb="xs">
        {invoiceDate !== null && <Instant at={invoiceDate} />}
        {invoiceDate !== null && dueDate !== null && dueDate > invoiceDate && (
          <>
            , due <Instant at={dueDate} />
          </>
        )}
      </Dimmed>
      <Table fz="sm" aria-label="Invoices of the next document">
        <Table.Tbody>
          {invoices.map(({ total, subscription }) => (
            <Table.Tr key={subscription.id}>
              <Table.Td>
                <Name {...subscription} />
              </Table.Td>
              <Table.Td ta="end">
                <Money amount={total} currency={currency ?? ''} />
              </Table.Td>
            </Table.Tr>
          ))}
          {sums.map(
            ([name, amount]) =>
              (amount !== 0 || name === 'Due') && (
                <Table.Tr key={name} fw={name === 'Due' ? 600 : undefined}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td ta="end">
                    <Money amount={amount} currency={currency ?? ''} />
                  </Table.Td>
                </Table.Tr>
              ),
          )}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** The subscriptions that are not in the document, each with its reason. */
function LeftOut({ leftOut }: Pick<Upcoming, 'leftOut'>) {
  return (
    <div>
      <Table fz="sm" aria-label="Subscriptions that are not in the next document">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Not in it</Table.Th>
            <Table.Th>Reason</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {leftOut.slice(0, most).map(({ subscription, explanation, reason, nextAt }) => (
            <Table.Tr key={subscription.id}>
              <Table.Td>
                <Name {...subscription} />
              </Table.Td>
              <Table.Td>
                {explanation}
                {reason === 'other_instant' && nextAt !== null && (
                  <Text size="xs" c="dimmed" component="div">
                    Next: <Instant at={nextAt} />
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {leftOut.length > most && <Dimmed>And {leftOut.length - most} more</Dimmed>}
    </div>
  );
}

function Name({ id, name }: Upcoming['invoices'][number]['subscription']) {
  return (
    <PageLink to={`/subscriptions/${id}`} dir="auto">
      {name ?? id}
    </PageLink>
  );
}
