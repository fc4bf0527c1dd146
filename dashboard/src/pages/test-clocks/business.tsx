import { useLive } from '../../live/use-live.ts';
import { HomeNumbersDocument } from '../home/home.generated.ts';
import { MrrChart } from '../home/mrr-chart.tsx';
import { type Range, spanOf } from '../home/ranges.ts';
import { RevenueChart } from '../home/revenue-chart.tsx';

const year: Range = { name: 'year', label: 'Year', days: 365, interval: 'month' };

/** The business in the year that ends with the clock's time: it grows while the clock is advanced. */
export function Business({ now }: { readonly now: number }) {
  const { interval } = year;
  const { data } = useLive(
    HomeNumbersDocument,
    { ...spanOf(year, now), interval, revenueInterval: interval },
    { kinds: ['invoice', 'payment', 'subscription', 'test_clock'] },
  );
  const currency = data?.organization?.currency ?? 'USD';
  return (
    <>
      <RevenueChart buckets={data?.revenue?.buckets} currency={currency} interval={interval} />
      <MrrChart series={data?.mrr} currency={currency} interval={interval} />
    </>
  );
}
