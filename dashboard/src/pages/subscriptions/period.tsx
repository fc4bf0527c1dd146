import { Group, Stack, Text } from '@mantine/core';
import { dayText } from '../../parts/texts/days.ts';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Money } from '../../parts/texts/money.tsx';
import { Dimmed, Mark, PageLink, Remark } from '../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import type { SubscriptionPeriodsQuery } from './periods.generated.ts';

type Period = NonNullable<
  SubscriptionPeriodsQuery['subscription']
>['billingPeriods']['nodes'][number];
type Run = Period['billingRuns']['nodes'][number];

const colors: Readonly<Record<string, string>> = {
  active: 'toll',
  completed: 'toll',
  past_due: 'orange',
};

/** The color of a period in the timeline. */
export const periodColor = (status: string) => colors[status] ?? 'gray';

/** The dates of a period, and its state. */
export function PeriodTitle({ period }: { readonly period: Period }) {
  const { startDate, endDate, status, trialPeriod, paidElsewhere } = period;
  return (
    <Group gap={6}>
      <Text span size="sm" fw={600}>
        {dayText(startDate)} – {dayText(endDate)}
      </Text>
      <StatusBadge status={status} />
      {trialPeriod && <Mark>Trial</Mark>}
      {paidElsewhere && <Mark>Paid elsewhere</Mark>}
    </Group>
  );
}

/** The invoices of a period, each with the runs that charged it, and the runs that have none yet. */
export function PeriodRecords({ period }: { readonly period: Period }) {
  const { invoices, billingRuns } = period;
  const known = new Set(invoices.nodes.map(({ id }) => id));
  const others = billingRuns.nodes.filter(({ invoiceId }) => !invoiceId || !known.has(invoiceId));
  return (
    <Stack gap={6} mt={4}>
      {invoices.nodes.map((invoice) => (
        <div key={invoice.id}>
          <Group gap={6}>
            <PageLink to={`/invoices/${invoice.id}`}>{invoice.invoiceNumber}</PageLink>
            {invoice.purpose !== 'period' && <Dimmed span>{wordsOf(invoice.purpose)}</Dimmed>}
            <Text span size="sm">
              <Money amount={invoice.total} currency={invoice.currency} />
            </Text>
            <StatusBadge status={invoice.status} />
          </Group>
          {billingRuns.nodes
            .filter(({ invoiceId }) => invoiceId === invoice.id)
            .map((run) => (
              <RunLine key={run.id} run={run} />
            ))}
        </div>
      ))}
      {others.map((run) => (
        <RunLine key={run.id} run={run} />
      ))}
      {invoices.totalCount > invoices.nodes.length && (
        <Dimmed>{invoices.totalCount - invoices.nodes.length} more invoices</Dimmed>
      )}
    </Stack>
  );
}

/** One attempt to invoice and collect, in a line. */
function RunLine({ run }: { readonly run: Run }) {
  const { purpose, status, attemptNumber, scheduledFor, errorDetails } = run;
  return (
    <Remark>
      {purpose === 'period' ? 'Run' : `Run for ${wordsOf(purpose).toLowerCase()}`}
      {attemptNumber > 1 && `, attempt ${attemptNumber}`} · {dayText(scheduledFor)} ·{' '}
      {wordsOf(status)}
      {errorDetails && `: ${errorDetails}`}
    </Remark>
  );
}
