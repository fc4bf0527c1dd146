import { Stack, Text } from '@mantine/core';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import { AmountsTable } from '../../parts/lists/amounts-table.tsx';
import { RowTable } from '../../parts/lists/row-table.tsx';
import { Section } from '../../parts/section.tsx';
import { Instant } from '../../parts/texts/instant.tsx';
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
  const { invoiceDate, dueDate, currency, invoices, taxAmount, creditApplied } = upcoming;
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
      <AmountsTable
        label="Invoices of the next document"
        currency={currency ?? ''}
        lines={[
          ...invoices.map(
            ({ total, subscription }) =>
              [<Name key={subscription.id} {...subscription} />, total] as const,
          ),
          ...(taxAmount === 0 ? [] : [['Tax, included', taxAmount] as const]),
          ...(creditApplied === 0 ? [] : [['Credit', -creditApplied] as const]),
        ]}
        due={['Due', upcoming.amountDue]}
      />
    </div>
  );
}

/** The subscriptions that are not in the document, each with its reason. */
function LeftOut({ leftOut }: Pick<Upcoming, 'leftOut'>) {
  return (
    <div>
      <RowTable
        label="Subscriptions that are not in the next document"
        hasHead
        rows={leftOut.slice(0, most).map((each) => ({ ...each, id: each.subscription.id }))}
        columns={[
          { name: 'Not in it', cell: ({ subscription }) => <Name {...subscription} /> },
          {
            name: 'Reason',
            cell: ({ explanation, reason, nextAt }) => (
              <>
                {explanation}
                {reason === 'other_instant' && nextAt !== null && (
                  <Text size="xs" c="dimmed" component="div">
                    Next: <Instant at={nextAt} />
                  </Text>
                )}
              </>
            ),
          },
        ]}
      />
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
