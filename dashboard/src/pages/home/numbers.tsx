import { SimpleGrid } from '@mantine/core';
import { useLive } from '../../live/use-live.ts';
import { moneyText, numberText } from '../../parts/formats.ts';
import { Stat } from '../../parts/stat.tsx';
import { useNow } from '../../parts/use-now.ts';
import { HomeAttentionDocument, type HomeNumbersQuery } from './home.generated.ts';
import { changeOf, sumOf } from './sums.ts';

interface Props {
  readonly data: HomeNumbersQuery | undefined;
  readonly currency: string;
  readonly span: { readonly from: number; readonly to: number };
}

const minute = 60_000;
const week = 7 * 24 * 60 * minute;

/** The numbers of the business. Each opens the rows behind it. */
export function Numbers({ data, currency, span: { from, to } }: Props) {
  // In steps of a minute, so that the query does not change with each second.
  const now = Math.floor(useNow() / minute) * minute;
  const { data: attention } = useLive(
    HomeAttentionDocument,
    { now, soon: now + week, from },
    { kinds: ['subscription', 'payment', 'invoice'] },
  );
  const totals = data?.revenue?.totals.find((each) => each.currency === currency);
  const points = data?.mrr.find((each) => each.currency === currency)?.points;
  const mrrBefore = points?.[0]?.mrrAtStart ?? 0;
  const money = (amount: number | undefined) =>
    data === undefined ? undefined : moneyText(amount ?? 0, currency);
  const range = `from=${day(from)}&to=${day(to)}`;
  const inRange = (amount: 'invoiced' | 'paid' | 'refunded') => {
    const sum = sumOf(data?.revenue?.buckets ?? [], currency, amount);
    const before = sumOf(data?.revenueBefore?.buckets ?? [], currency, amount);
    return { value: money(sum), change: data && changeOf(sum, before) };
  };
  const count = (found: { readonly totalCount: number } | undefined) =>
    found && numberText(found.totalCount);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
      <Stat
        label="Monthly recurring revenue"
        value={money(totals?.mrr)}
        change={data && changeOf(totals?.mrr ?? 0, mrrBefore)}
        to={`/subscriptions?status=active&currency=${currency}&order=mrr_desc`}
      />
      <Stat
        label="Active subscriptions"
        value={data && numberText(totals?.activeSubscriptions ?? 0)}
        to="/subscriptions?status=active"
      />
      <Stat
        label="Invoiced"
        {...inRange('invoiced')}
        to={`/invoices?currency=${currency}&${range}`}
      />
      <Stat
        label="Paid"
        {...inRange('paid')}
        to={`/payments?status=succeeded&currency=${currency}&${range}`}
      />
      <Stat
        label="Outstanding"
        value={money(totals?.outstanding)}
        hint={attention && `${numberText(attention.overdue.totalCount)} overdue`}
        to={`/invoices?status=open&currency=${currency}`}
      />
      <Stat
        label="Refunded"
        {...inRange('refunded')}
        isBadWhenUp
        to={`/payments?tab=refunds&currency=${currency}&${range}`}
      />
      <Stat
        label="Failing payments"
        value={count(attention?.failing)}
        hint={attention && `${numberText(attention.failedPayments.totalCount)} attempts failed`}
        to="/payments?tab=failing"
      />
      <Stat
        label="Trials that end in 7 days"
        value={count(attention?.trials)}
        to="/subscriptions?status=trialing"
      />
    </SimpleGrid>
  );
}

/** The day of an instant (UTC), as addresses have it. */
const day = (instant: number) => new Date(instant).toISOString().slice(0, 10);
