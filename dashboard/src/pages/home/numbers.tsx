import { SimpleGrid } from '@mantine/core';
import { useLive } from '../../live/use-live.ts';
import { Stat } from '../../parts/charts/stat.tsx';
import { dayOf } from '../../parts/texts/days.ts';
import { moneyText, numberText } from '../../parts/texts/formats.ts';
import { useNow } from '../../parts/use-now.ts';
import { HomeAttentionDocument, type HomeNumbersQuery } from './home.generated.ts';
import { changeOf, sumOf } from './sums.ts';

interface Props {
  readonly data: HomeNumbersQuery | undefined;
  readonly currency: string;
  readonly span: { readonly from: number; readonly to: number };
}

const dayMilliseconds = 24 * 60 * 60_000;

/** The numbers of the business. Each opens the rows behind it. */
export function Numbers({ data, currency, span: { from, to } }: Props) {
  // Whole days, as the conditions of lists have them.
  const today = Math.floor(useNow() / dayMilliseconds) * dayMilliseconds;
  const soon = today + 8 * dayMilliseconds;
  const { data: attention } = useLive(
    HomeAttentionDocument,
    { today, soon, from, currency },
    { kinds: ['subscription', 'payment', 'invoice'] },
  );
  const totals = data?.revenue?.totals.find((each) => each.currency === currency);
  const points = data?.mrr.find((each) => each.currency === currency)?.points;
  const mrrBefore = points?.[0]?.mrrAtStart ?? 0;
  const money = (amount: number | undefined) =>
    data === undefined ? undefined : moneyText(amount ?? 0, currency);
  const range = `from=${dayOf(from)}&to=${dayOf(to)}`;
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
        value={count(attention?.active)}
        to={`/subscriptions?status=active&currency=${currency}`}
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
        label="Trials that end within 7 days"
        value={count(attention?.trials)}
        to={`/subscriptions?status=trialing&trialFrom=${dayOf(today)}&trialTo=${dayOf(soon)}`}
      />
    </SimpleGrid>
  );
}
