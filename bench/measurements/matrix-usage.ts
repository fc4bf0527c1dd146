import { checkNightly } from '../running/nightly-checks.ts';
import { type MeasuredService, startMeasuredService } from '../running/service.ts';
import { json, load, subscribed, usageEvent } from './usage.ts';

const turns = 3;
const seconds = 4;
const regions = Array.from({ length: 25 }, (_, place) => `region-${place}`);
const sizes = Array.from({ length: 20 }, (_, place) => `size-${place}`);

/**
 * Usage events of a meter whose price is a matrix of 500 cells, beside a meter with a price per unit. Both get the same
 * events in turns, in one run on one database. The ratio is matrix ÷ price per unit.
 */
export async function matrixUsage() {
  await using opened = new AsyncDisposableStack();
  const service = opened.use(await startMeasuredService());
  const ids = await subscribed(service, 100);
  await addMatrix(service);
  const measures = {
    'bulk of 1,000, 8 connections': (slug: string) => bulk(service, ids, slug),
    'single, 16 connections': (slug: string) =>
      load(service, '/usage-events', 16, seconds, 1, () => `{"usageEvent":${event(ids, slug)}}`),
  };
  // A short first round, in which the process warms up.
  await bulk(service, ids, 'calls');
  for (const [name, measure] of Object.entries(measures)) {
    const [plain, matrix]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < turns; turn++) {
      plain.push(await measure('calls'));
      matrix.push(await measure('tokens'));
    }
    const [bare, priced] = [medianOf(plain), medianOf(matrix)];
    process.stdout.write(
      `${name.padEnd(30)} per unit ${bare.toFixed(0)} events/s, matrix ${priced.toFixed(0)} events/s   ratio ${(priced / bare).toFixed(2)}\n`,
    );
  }
  await checkNightly(service.databaseUrl);
}

async function addMatrix(service: MeasuredService) {
  const { usageMeter } = await json(service, '/usage-meters', {
    usageMeter: { name: 'Tokens', slug: 'tokens' },
  });
  const cells = regions.flatMap((region, row) =>
    sizes.map((size, column) => ({ values: [region, size], unitPrice: `${row}.${10 + column}` })),
  );
  const matrix = { dimensions: ['region', 'size'], cells, otherUnitPrice: 1 };
  const terms = { type: 'usage', intervalUnit: 'month', usageEventsPerUnit: 100, isDefault: true };
  await json(service, '/prices', {
    price: { ...terms, usageMeterId: usageMeter.id, model: 'matrix', matrix },
  });
}

let count = 0;
const event = (ids: readonly string[], slug: string) => {
  const region = regions[count++ % regions.length];
  const size = sizes[count % sizes.length];
  return usageEvent(ids, slug, `{"region":"${region}","size":"${size}"}`);
};

const bulk = (service: MeasuredService, ids: readonly string[], slug: string) =>
  load(service, '/usage-events/bulk', 8, seconds, 1_000, () => {
    const events = Array.from({ length: 1_000 }, () => event(ids, slug));
    return `{"usageEvents":[${events.join(',')}]}`;
  });

const medianOf = (figures: readonly number[]) =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] as number;
