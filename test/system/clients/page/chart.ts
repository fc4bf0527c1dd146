import type { SeriesFragment } from 'generated-client/graphql';
import { element } from './show.ts';

const colors = ['#2f6fde', '#e07b39', '#3f9c5a', '#8b5cc2'];
const size = { width: 600, height: 160 } as const;

/** Draws the usage of each day as a column, with one part for each value of the property. */
export function drawUsage(series: readonly SeriesFragment[]) {
  const days = series[0]?.points.map(({ start }) => start) ?? [];
  const totals = days.map((_, day) =>
    series.reduce((sum, { points }) => sum + (points[day]?.usage ?? 0), 0),
  );
  const unit = size.height / Math.max(1, ...totals);
  const width = size.width / Math.max(1, days.length);
  const chart = element<SVGElement>('usage');
  chart.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
  chart.replaceChildren(
    ...days.flatMap((start, day) => {
      let top = size.height;
      return series.flatMap(({ value, points }, index) => {
        const usage = points[day]?.usage ?? 0;
        if (usage === 0) return [];
        top -= usage * unit;
        return bar(`${new Date(start).toISOString().slice(0, 10)} ${value ?? 'none'} ${usage}`, {
          x: day * width,
          y: top,
          width: width - 2,
          height: usage * unit,
          fill: colors[index % colors.length] ?? '',
        });
      });
    }),
  );
  chart.dataset.days = `${days.length}`;
}

/** A rectangle with a text for the pointer. */
function bar(text: string, attributes: Readonly<Record<string, string | number>>) {
  const namespace = 'http://www.w3.org/2000/svg';
  const rectangle = document.createElementNS(namespace, 'rect');
  for (const [name, value] of Object.entries(attributes)) rectangle.setAttribute(name, `${value}`);
  const title = document.createElementNS(namespace, 'title');
  title.textContent = text;
  rectangle.append(title);
  return rectangle;
}
