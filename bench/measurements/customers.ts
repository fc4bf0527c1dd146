import { checkNightly } from '../running/nightly-checks.ts';
import { processorTimeOf } from '../running/processor-time.ts';
import { startMeasuredService } from '../running/service.ts';
import { load, subscribed } from './usage.ts';

const connections = 16;
const rounds = 5;
const seconds = 4;

/** New customers with their free plan over REST, without a baseline, and the processor time of the database for each. */
export async function customers() {
  await using opened = new AsyncDisposableStack();
  const service = opened.use(await startMeasuredService());
  const timeOfDatabase = await processorTimeOf(service.databaseUrl);
  // A meter with its product, and a first customer.
  await subscribed(service, 1);
  let made = 0;
  const add = (time: number) =>
    load(service, '/customers', connections, time, 1, () => {
      const customer = { email: 'a@example.com', name: 'Ada', externalId: `new-${++made}` };
      return JSON.stringify({ customer });
    });
  // A first round, in which the process warms up.
  await add(seconds);
  const figures: (readonly [rate: number, milliseconds: number])[] = [];
  for (let round = 0; round < rounds; round++) {
    const [before, from] = [timeOfDatabase(), made];
    const rate = await add(seconds);
    figures.push([rate, ((timeOfDatabase() - before) * 1_000) / (made - from)]);
  }
  const [rate, milliseconds] = [0, 1].map((part) => median(figures.map((one) => one[part] ?? 0)));
  process.stdout.write(
    `New customers, ${connections} connections, median of ${rounds} × ${seconds} s\n` +
      `service   ${rate?.toFixed(0)} customers/s   database ${milliseconds?.toFixed(1)} ms of processor time each\n`,
  );
  await checkNightly(service.databaseUrl);
}

const median = (figures: readonly number[]) =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
