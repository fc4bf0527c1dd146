import { Group, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useLive } from '../../live/use-live.ts';
import { MoneyBars } from '../../parts/charts/money-bars.tsx';
import { Failure } from '../../parts/failure.tsx';
import type { Filters } from '../../parts/lists/use-filters.ts';
import { Section } from '../../parts/section.tsx';
import { bucketLabel } from '../../parts/texts/days.ts';
import { moneyText } from '../../parts/texts/formats.ts';
import { Dimmed } from '../../parts/texts/small-texts.tsx';
import { useNow } from '../../parts/use-now.ts';
import { useOwnCurrency } from '../../parts/use-own-currency.ts';
import { ranges, spanOf } from '../home/ranges.ts';
import { PaymentRecoveryDocument, type PaymentRecoveryQuery } from './dunning.generated.ts';

type Series = PaymentRecoveryQuery['paymentRecovery'][number];

const parts = [
  { name: 'recovered', label: 'Paid since', color: 'toll.7' },
  { name: 'open', label: 'Still to be paid', color: 'orange.6' },
  { name: 'lost', label: 'Lost', color: 'red.7' },
];

/** The outcome of the invoices whose first charge failed. */
export function RecoverySection({ filters }: { readonly filters: Filters }) {
  const range = ranges.find(({ name }) => name === (filters.get('range') ?? '12m')) ?? ranges[3];
  const { from, to } = spanOf(range as (typeof ranges)[number], useNow());
  const interval = range?.interval ?? 'month';
  const { data, error, reload } = useLive(
    PaymentRecoveryDocument,
    { from, to, interval },
    { kinds: ['payment', 'invoice'] },
  );
  const all = data?.paymentRecovery ?? [];
  const ownCurrency = useOwnCurrency();
  const of = (wanted: string | undefined) => all.find(({ currency }) => currency === wanted);
  const series = of(filters.get('currency')) ?? of(ownCurrency) ?? all[0];
  return (
    <Section
      title="Recovery"
      actions={
        <>
          {all.length > 1 && (
            <SegmentedControl
              size="xs"
              aria-label="Currency"
              data={all.map(({ currency }) => currency)}
              value={series?.currency ?? ''}
              onChange={(currency) => filters.set('currency', currency)}
            />
          )}
          <SegmentedControl
            size="xs"
            aria-label="Range"
            data={ranges.slice(1).map(({ name, label }) => ({ value: name, label }))}
            value={range?.name ?? '12m'}
            onChange={(name) => filters.set('range', name)}
          />
        </>
      }
    >
      {error && !data && <Failure error={error} onRetry={reload} />}
      {!data && !error && <Skeleton h={220} role="status" aria-label="Loading" />}
      {data && !series && <Dimmed>No charge failed in this time.</Dimmed>}
      {series && <Recovery series={series} interval={interval} />}
    </Section>
  );
}

function Recovery({
  series: { currency, points },
  interval,
}: {
  readonly series: Series;
  readonly interval: 'day' | 'week' | 'month';
}) {
  const total = (part: 'failed' | 'recovered' | 'open' | 'lost') =>
    points.reduce((sum, point) => sum + point[part].amount, 0);
  const failed = total('failed');
  const rate = new Intl.NumberFormat(undefined, {
    style: 'percent',
    maximumFractionDigits: 1,
  }).format(failed === 0 ? 0 : total('recovered') / failed);
  return (
    <>
      <Group gap="xl" mb="sm">
        <Text size="sm">
          {failed === 0
            ? 'No charge failed in this time.'
            : `${rate} of ${moneyText(failed, currency)} that failed at first was paid since. ${moneyText(total('open'), currency)} can still be.`}
        </Text>
      </Group>
      <MoneyBars
        h={200}
        type="stacked"
        data={points.map(({ start, recovered, open, lost }) => ({
          label: bucketLabel(start, interval),
          recovered: recovered.amount,
          open: open.amount,
          lost: lost.amount,
        }))}
        series={parts}
        currency={currency}
        most={Math.max(
          0,
          ...points.map(
            ({ recovered, open, lost }) => recovered.amount + open.amount + lost.amount,
          ),
        )}
      />
    </>
  );
}
